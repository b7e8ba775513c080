// A section of adapters.ini: how a server is started, fed and subscribed to.
#pragma once

#include "tests/bench/fan/base.hpp"

#include <map>

typedef std::map<string, string> Kv;

/// The one that is measured.
inline Kv A;

/// A setting of it.
string get(const string& k, const string& d = "");

/// With \r, \n, \t and \xHH read.
string unesc(const string& s);
Kv load_adapter(const string& file, const string& name);
