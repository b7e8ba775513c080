#include "protocol/order/drawing.hpp"

#include "protocol/json/quote.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::order {
namespace {

struct edge {
  vertex before, after;
  origin from;
};

/// Without the groups that save no edge, and what is behind or before nothing.
class drawing {
 public:
  explicit drawing(const order& of) : of_{of}, before_(of.size()), after_(of.size()) {
    for (vertex at = 0; at < of.size(); ++at) {
      for (const vertex first : of.before(at)) {
        const origin from = *of.origin_of(first, at);
        before_[at].emplace(first, from);
        after_[first].emplace(at, from);
      }
    }
    std::vector<vertex> open;
    for (vertex at = 0; at < of.size(); ++at) open.push_back(at);
    while (!open.empty()) {
      const vertex at = open.back();
      open.pop_back();
      if (of.at(at) == nullptr) dissolve(at, open);
    }
    for (vertex at = 0; at < of.size(); ++at) {
      if (of.at(at) == nullptr && before_[at].empty() && after_[at].empty()) continue;
      numbers_.emplace(at, numbers_.size());
    }
  }

  template <class Use>
  void each_node(const Use& use) const {
    for (const auto& [at, number] : numbers_) use(number, of_.at(at), of_.name(at));
  }
  template <class Use>
  void each_edge(const Use& use) const {
    for (const auto& [at, number] : numbers_) {
      for (const auto& [next, from] : after_[at]) use(number, numbers_.at(next), from);
    }
  }

 private:
  /// A group of so few edges that they can stand for themselves.
  void dissolve(vertex at, std::vector<vertex>& open) {
    const std::size_t in = before_[at].size(), out = after_[at].size();
    if (in * out > in + out) return;
    const auto firsts = std::exchange(before_[at], {});
    const auto nexts = std::exchange(after_[at], {});
    for (const auto& [first, from] : firsts) after_[first].erase(at);
    for (const auto& [next, from] : nexts) before_[next].erase(at);
    for (const auto& [first, from] : firsts) {
      for (const auto& [next, to] : nexts) {
        if (first == next) continue;
        after_[first].try_emplace(next, from);
        before_[next].try_emplace(first, from);
      }
    }
    // Their neighbours may save nothing now.
    for (const auto& [first, from] : firsts) open.push_back(first);
    for (const auto& [next, from] : nexts) open.push_back(next);
  }

  const order& of_;
  std::vector<std::map<vertex, origin>> before_, after_;
  std::map<vertex, std::size_t> numbers_;
};

std::string_view word(origin from) {
  switch (from) {
    case origin::configuration:
      return "configuration";
    case origin::state:
      return "state";
    case origin::plan:
      break;
  }
  return "plan";
}

std::string label(const operation& what) {
  std::string text{what.action};
  text.append(" ").append(what.address);
  if (!what.deposed.empty()) text.append(" (deposed ").append(what.deposed).append(")");
  return text;
}

/// Text within quotes: a backslash before what would end it; controls are blanks.
std::string escaped(std::string_view text, std::string_view quote_is) {
  std::string made;
  for (const char c : text) {
    if (c == '"')
      made.append(quote_is);
    else if (c == '\\' && quote_is.front() == '\\')
      made.append("\\\\");
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      made.push_back(' ');
    else
      made.push_back(c);
  }
  return made;
}

}  // namespace

std::string to_json(const order& of) {
  const drawing drawn{of};
  std::string out = "{\"format\":\"tofud.graph.v1\",\"nodes\":[";
  drawn.each_node([&](std::size_t number, const operation* what, std::string_view group) {
    out.append(out.back() == '[' ? "\n" : ",\n").append("{\"id\":").append(std::to_string(number));
    if (what == nullptr) {
      json::append_quoted(out.append(",\"group\":"), group);
    } else {
      json::append_quoted(out.append(",\"address\":"), what->address);
      out.append(",\"action\":\"").append(what->action).append("\"");
      if (!what->deposed.empty()) json::append_quoted(out.append(",\"deposed\":"), what->deposed);
    }
    out.push_back('}');
  });
  out.append("],\"edges\":[");
  drawn.each_edge([&](std::size_t before, std::size_t after, origin from) {
    out.append(out.back() == '[' ? "\n" : ",\n");
    out.append("{\"before\":").append(std::to_string(before));
    out.append(",\"after\":").append(std::to_string(after));
    out.append(",\"origin\":\"").append(word(from)).append("\"}");
  });
  return out.append("]}\n");
}

std::string to_dot(const order& of) {
  const drawing drawn{of};
  std::string out = "digraph apply {\n  rankdir=LR;\n  node [shape=box];\n";
  drawn.each_node([&](std::size_t number, const operation* what, std::string_view group) {
    out.append("  n").append(std::to_string(number)).append(" [label=\"");
    out.append(escaped(what == nullptr ? std::string{group} : label(*what), "\\\""));
    out.append(what == nullptr ? "\", shape=ellipse, style=dashed];\n" : "\"];\n");
  });
  drawn.each_edge([&](std::size_t before, std::size_t after, origin) {
    out.append("  n").append(std::to_string(before)).append(" -> n");
    out.append(std::to_string(after)).append(";\n");
  });
  return out.append("}\n");
}

std::string to_mermaid(const order& of) {
  const drawing drawn{of};
  std::string out = "flowchart LR\n";
  drawn.each_node([&](std::size_t number, const operation* what, std::string_view group) {
    out.append("  n").append(std::to_string(number)).append(what == nullptr ? "([\"" : "[\"");
    out.append(escaped(what == nullptr ? std::string{group} : label(*what), "#quot;"));
    out.append(what == nullptr ? "\"])\n" : "\"]\n");
  });
  drawn.each_edge([&](std::size_t before, std::size_t after, origin) {
    out.append("  n").append(std::to_string(before)).append(" --> n");
    out.append(std::to_string(after)).append("\n");
  });
  return out;
}

}  // namespace tofud::order
