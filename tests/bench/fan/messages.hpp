// Messages: real-shaped UI lines; a marker fb~<seq 10>~<ns 19>~ sits in "@message".
#pragma once

#include "tests/bench/fan/base.hpp"

enum { MARKLEN = 3 + 10 + 1 + 19 + 1 };

struct Tpl {
  string s;
  size_t off;
};

inline vector<Tpl> g_tpl;

/// What opens the run, an apply and a provisioner for every resource, before lines of shape "log".
inline string g_preamble;

/// Shape "log": only provision_progress lines, marker in hook.output (for servers that rebuild text
/// from fields); fills g_preamble.
vector<Tpl> make_templates(int nres, int pad, bool log);

inline void put_num(char* p, u64 v, int w) {
  for (int i = w - 1; i >= 0; i--) {
    p[i] = (char)('0' + v % 10);
    v /= 10;
  }
}
