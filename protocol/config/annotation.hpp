// What people write of a block into its configuration, for who looks at it later.
//
//   # tofud: owner=@db runbook="https://wiki/db" expect=25m      above a block in native syntax
//   "//": {"tofud": {"owner": "@db", "expect": "25m"}}            in the body of a block in JSON
//   syntax
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tofud::config {

struct annotation {
  std::string owner, runbook;                  // empty: not said; a runbook is an http(s) URL
  std::optional<std::chrono::seconds> expect;  // how long what is done to it takes

  bool empty() const { return owner.empty() && runbook.empty() && !expect; }
  friend bool operator==(const annotation&, const annotation&) = default;
};

/// Takes one member. Empty, or what is wrong and what to do, as a sentence: then nothing was taken.
std::string annotate(annotation& into, std::string_view key, std::string_view value);

/// What `with` says stands; `base` is asked for the rest.
void override_annotation(annotation& base, annotation with);

/// What is behind `tofud:` of a line comment; nothing if it is no such comment. A view into it.
std::optional<std::string_view> note_in(std::string_view comment);

/// Takes a line of `key=value`, `key="value"` parted by blanks. What is wrong is told with the
/// place in `note`; the rest is taken.
using note_wrong = std::function<void(std::size_t offset, std::string what)>;
void read_note(annotation& into, std::string_view note, const note_wrong& wrong);

/// `owner=@db runbook="https://wiki/db" expect=25m`, as it could stand in a comment.
std::string to_string(const annotation& said);

/// `90s`, `25m`, `1h30m`: whole numbers, hours before minutes before seconds.
std::optional<std::chrono::seconds> read_expectation(std::string_view text);

/// As above, in as few units as will do.
std::string expectation_text(std::chrono::seconds time);

}  // namespace tofud::config
