#include "protocol/redact/finder.hpp"

#include "protocol/redact/limits.hpp"
#include "protocol/redact/masks.hpp"
#include "protocol/redact/token_shapes.hpp"
#include "protocol/text/ascii.hpp"
#include "protocol/text/utf8.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <utility>

namespace tofud::redact {
namespace {

using namespace std::string_view_literals;
using role = pattern_search::kind;
using pattern = pattern_search::pattern;

// Members and types that need a look whatever stands in them.
constexpr std::string_view always[] = {
    R"("state")",     R"("difference")", R"("importing")", R"("generated_config")",
    R"("test_plan")", R"("test_state")", R"("sensitive")"};
constexpr std::string_view of_programs[] = {R"("provision_progress")", R"("action_progress")",
                                            R"("action_errored")", "provisioner error"};
// Behind it stands a line that a program printed, which may be one of a key.
constexpr std::string_view printed = R"("output")";

constexpr std::uint16_t look_closer = 10'000;  // ids of anchors that are no shapes
constexpr std::uint16_t printed_line = 10'001;

constexpr std::string_view blank = " \t\r\n";

// Where the characters of a member's string begin, its key ending at `at`. JSON writers may put
// blanks around the colon.
std::size_t string_behind(std::string_view text, std::size_t at) {
  const std::size_t colon = text.find_first_not_of(blank, at);
  if (colon == text.npos || text[colon] != ':') return text.npos;
  const std::size_t quote = text.find_first_not_of(blank, colon + 1);
  return quote == text.npos || text[quote] != '"' ? text.npos : quote + 1;
}

// Whether that string is one. Apart from the search, whose loop is to stay small.
[[gnu::noinline]] bool is_line_of_a_key(std::string_view text, std::size_t at) {
  const std::size_t first = string_behind(text, at);
  if (first == text.npos) return false;
  const std::size_t quote = text.substr(0, first + 4096).find('"', first);
  return quote != text.npos && pem_line(text.substr(first, quote - first)).end > 0;
}

// The characters that `value` alone makes in base64, behind `before` other bytes (0, 1 or 2 of a
// group of three) and whatever follows.
std::string base64(std::string_view value, std::size_t before) {
  const std::string bytes = std::string(before, '\0').append(value);
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                  reinterpret_cast<const unsigned char*>(bytes.data()),
                  static_cast<int>(bytes.size()));
  text.resize(8 * bytes.size() / 6);
  return text.substr((8 * before + 5) / 6);
}

bool in_base64(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
         c == '/' || c == '-' || c == '_' || c == '=';
}

void add_value(std::vector<pattern>& patterns, std::string_view value) {
  patterns.push_back({std::string{value}, role::fixed});
  // Behind something else it begins anywhere in a group: `user:password`, a whole file.
  for (const std::size_t before : {0U, 1U, 2U}) {
    std::string encoded = base64(value, before);
    patterns.push_back({encoded, role::open});
    std::replace(encoded.begin(), encoded.end(), '+', '-');
    std::replace(encoded.begin(), encoded.end(), '/', '_');
    patterns.push_back({std::move(encoded), role::open});
  }
}

// Tools break base64 into lines: OpenSSL after 64 characters, base64(1) after 76.
void add_broken_base64(std::vector<pattern>& patterns, std::string_view value) {
  const std::string encoded = base64(value, 0);
  for (const std::size_t width : {64U, 76U}) {
    if (encoded.size() <= width) continue;
    for (std::size_t at = 0; at + limits::secret_line_bytes <= encoded.size(); at += width) {
      patterns.push_back({encoded.substr(at, width), role::fixed});
    }
  }
}

void add_lines(std::vector<pattern>& patterns, std::string_view value) {
  if (value.find('\n') == value.npos) return;
  while (!value.empty()) {
    const std::size_t end = std::min(value.find('\n'), value.size());
    const std::string_view line = text::trimmed(value.substr(0, end), blank);
    // The first and last line of a PEM block say what it is, and hide nothing.
    if (line.size() >= limits::secret_line_bytes && !line.starts_with("-----")) {
      patterns.push_back({std::string{line}, role::fixed});
    }
    value.remove_prefix(std::min(end + 1, value.size()));
  }
}

std::vector<pattern> patterns_of(const rules& what, looks_for sought) {
  std::vector<pattern> patterns;
  for (const secret& each : what.secrets) {
    const std::string_view value = text::trimmed(each.value, blank);
    if (value.size() < limits::secret_bytes) continue;
    add_value(patterns, value);
    add_broken_base64(patterns, value);
    add_lines(patterns, value);
    // In a message stands U+FFFD for what is no UTF-8.
    if (!text::valid_utf8(value)) add_value(patterns, text::replace_invalid_utf8(value));
  }
  if (sought == looks_for::values) return patterns;
  std::uint16_t id = 0;
  for (const token_shape& shape : token_shapes()) {
    for (const std::string_view anchor : shape.anchors) {
      patterns.push_back({std::string{anchor}, role::anchor, id});
    }
    ++id;
  }
  for (const std::string_view text : always) {
    patterns.push_back({std::string{text}, role::anchor, look_closer});
  }
  patterns.push_back({std::string{printed}, role::anchor, printed_line});
  if (what.provisioners == provisioner_output::drop) {
    for (const std::string_view text : of_programs) {
      patterns.push_back({std::string{text}, role::anchor, look_closer});
    }
  }
  return patterns;
}

// Without the quotes around the name of a member and around a type: those are never escaped, so an
// escape that stands for a quote hides none of them.
std::bitset<256> bytes_in(const std::vector<pattern>& patterns) {
  std::bitset<256> bytes;
  for (const pattern& each : patterns) {
    const bool is_quoted = each.type == role::anchor && each.id >= look_closer;
    for (const char c : each.text) {
      if (c != '"' || !is_quoted) bytes.set(static_cast<std::uint8_t>(c));
    }
  }
  return bytes;
}

}  // namespace

ready_rules::ready_rules(const rules& what, looks_for sought)
    : ready_rules{what, patterns_of(what, sought)} {}

ready_rules::ready_rules(const rules& what, std::vector<pattern> patterns)
    : salt{what.salt},
      provisioners{what.provisioners},
      sought_bytes{bytes_in(patterns)},
      search{std::move(patterns)} {}

finder::finder(std::shared_ptr<const ready_rules> what)
    : rules_{std::move(what)}, seen_(token_shapes().size()) {}

// Calls `found(begin, end)` for secrets and tokens, and with nothing between for what needs a
// closer look; it says whether to go on.
template <typename Found>
std::size_t finder::look(std::string_view text, Found&& found) {
  std::fill(seen_.begin(), seen_.end(), 0);
  met_anchor_ = false;
  std::size_t run = 0;  // end of the characters of base64 seen last
  return rules_->search.scan(
      text, [&](role what, std::size_t begin, std::size_t end, std::uint16_t id) {
        if (what == role::fixed) return found(begin, end);
        if (what == role::open) {
          if (run < end) {
            run = end;
            while (run < text.size() && in_base64(text[run])) ++run;
          }
          return found(begin, run);
        }
        if (id == look_closer) return found(begin, begin);
        if (id == printed_line) {
          return !is_line_of_a_key(text, end) || found(begin, begin);
        }
        met_anchor_ = true;
        if (begin < seen_[id]) return true;
        const auto [first, last, seen] = token_shapes()[id].look_at(text, begin, end);
        seen_[id] = seen;
        if (first == last || masks::is_mask(text.substr(first, last - first))) return true;
        return found(first, last);
      });
}

bool finder::anything(std::string_view text) {
  bool any = false;
  look(text, [&any](std::size_t, std::size_t) {
    any = true;
    return false;
  });
  return any;
}

// Of a line in which nothing was found and no shape's anchor stood as it is written: whatever can
// still be found has a byte in it that an escape stands for. Nearly all escapes of a stream are
// quotes around a key of an address, which stand in no secret.
bool finder::escapes_hide_nothing(std::string_view line) const {
  for (std::size_t at = line.find('\\'); at != line.npos; at = line.find('\\', at + 2)) {
    const auto meant = letter_escape(line.substr(at + 1, 1));
    if (!meant || *meant == '\\') return false;
    if (rules_->sought_bytes[static_cast<std::uint8_t>(*meant)]) return false;
  }
  return true;
}

bool finder::suspects(std::string_view line) {
  if (anything(line) || pem_line(line).end > 0) return true;
  if (!met_anchor_ && line.find('%') == line.npos && escapes_hide_nothing(line)) return false;
  std::string_view said = line;
  for (std::size_t level = 0;; ++level) {
    if (level < 3 && said.find('%') != said.npos) {
      unpercent(said, percents_.text);
      if (anything(percents_.text)) return true;
    }
    if (level == 3 || said.find('\\') == said.npos) return false;
    unescape(said, levels_[level].text);
    said = levels_[level].text;
    if (anything(said)) return true;
  }
}

template <typename Place>
void finder::collect(std::string_view text, Place&& place) {
  look(text, [&](std::size_t begin, std::size_t end) {
    if (begin < end) parts_.push_back(place(part{begin, end}));
    return true;
  });
}

const std::vector<part>& finder::find(std::string_view text, extent what) {
  const auto through = [](const decoded& level) {
    return [&level](part found) {
      return part{level.source_begin(found.begin), level.source_end(found.end)};
    };
  };
  parts_.clear();
  collect(text, [](part found) { return found; });
  if (what == extent::printed_line) {
    if (const auto line = pem_line(text); line.end > 0) parts_.push_back({line.begin, line.end});
  }
  if (text.find('%') != text.npos) {
    unpercent(text, percents_.text, &percents_.escapes);
    collect(percents_.text, through(percents_));
  }
  if (text.find('\\') != text.npos) {
    decoded& once = levels_[0];
    unescape(text, once.text, &once.escapes);
    collect(once.text, through(once));
    if (once.text.find('%') != once.text.npos) {
      unpercent(once.text, percents_.text, &percents_.escapes);
      collect(percents_.text, [&](part found) { return through(once)(through(percents_)(found)); });
    }
    if (once.text.find('\\') != once.text.npos) {
      decoded& twice = levels_[1];
      unescape(once.text, twice.text, &twice.escapes);
      collect(twice.text, [&](part found) { return through(once)(through(twice)(found)); });
    }
  }
  settle(text);
  return settled_;
}

// Parts that overlap become one; no part begins or ends within a character, or holds a newline.
void finder::settle(std::string_view text) {
  settled_.clear();
  if (parts_.empty()) return;
  const auto inside = [text](std::size_t at) {
    return at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  for (part& each : parts_) {
    // No character of UTF-8 is longer than four bytes; what is none has no inside.
    for (int i = 0; i < 3 && inside(each.begin); ++i) --each.begin;
    for (int i = 0; i < 3 && inside(each.end); ++i) ++each.end;
  }
  std::sort(parts_.begin(), parts_.end(),
            [](const part& a, const part& b) { return a.begin < b.begin; });
  const auto add = [&](part whole) {
    while (whole.begin < whole.end) {
      const std::size_t newline =
          std::min(text.substr(0, whole.end).find_first_of("\r\n", whole.begin), whole.end);
      if (newline > whole.begin) settled_.push_back({whole.begin, newline});
      whole.begin = newline + 1;
    }
  };
  part whole = parts_.front();
  for (const part& each : parts_) {
    if (each.begin < whole.end) {
      whole.end = std::max(whole.end, each.end);
    } else {
      add(whole);
      whole = each;
    }
  }
  add(whole);
}

void finder::release() {
  for (decoded& level : levels_) level.release();
  percents_.release();
  parts_ = {};
  settled_ = {};
}

std::size_t finder::begun(std::string_view text) {
  return look(text, [](std::size_t, std::size_t) { return true; });
}

}  // namespace tofud::redact
