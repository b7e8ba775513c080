#include "tests/bench/fan/adapter.hpp"

#include <cstdlib>
#include <fstream>

string unesc(const string& s) {
  string o;
  for (size_t i = 0; i < s.size(); i++) {
    if (s[i] != '\\' || i + 1 >= s.size()) {
      o += s[i];
      continue;
    }
    char c = s[++i];
    if (c == 'r')
      o += '\r';
    else if (c == 'n')
      o += '\n';
    else if (c == 't')
      o += '\t';
    else if (c == 'x' && i + 2 < s.size()) {
      o += (char)strtol(s.substr(i + 1, 2).c_str(), nullptr, 16);
      i += 2;
    } else
      o += c;
  }
  return o;
}
Kv load_adapter(const string& file, const string& name) {
  std::ifstream f(file);
  if (!f) die("cannot open %s", file.c_str());
  string l, sec;
  Kv kv;
  bool seen = false;
  while (std::getline(f, l)) {
    if (l.empty() || l[0] == '#' || l[0] == ';') continue;
    if (l[0] == '[') {
      sec = l.substr(1, l.find(']') - 1);
      if (sec == name) seen = true;
      continue;
    }
    if (sec != name) continue;
    size_t e = l.find('=');
    if (e == string::npos) continue;
    auto tr = [](string s) {
      size_t a = s.find_first_not_of(" \t"), b = s.find_last_not_of(" \t");
      return a == string::npos ? string() : s.substr(a, b - a + 1);
    };
    kv[tr(l.substr(0, e))] = tr(l.substr(e + 1));
  }
  if (!seen) die("no adapter [%s] in %s", name.c_str(), file.c_str());
  return kv;
}
string get(const string& k, const string& d) {
  auto i = A.find(k);
  return i == A.end() ? d : i->second;
}
