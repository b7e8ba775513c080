#include "protocol/redact/message_redactor.hpp"

#include "protocol/json/quote.hpp"
#include "protocol/ui/resource_address.hpp"
#include "protocol/ui/timestamp.hpp"

#include <algorithm>

namespace tofud::redact {
namespace {

constexpr std::string_view blanks = " \t\r\n";

// The fold infers a run's status from these words of `log` messages.
constexpr std::string_view telling[] = {"nterrupt received", "nterrupts received", "cancelled"};

// A character of a number, true, false or null.
bool is_scalar(char c) {
  return std::string_view{",:{}[]\"\\"}.find(c) == blanks.npos && blanks.find(c) == blanks.npos;
}

}  // namespace

void message_redactor::redact(std::string_view object, const ui::parsed_line& parsed,
                              std::string& out) {
  json_ = object;
  at_ = 0;
  out_ = &out;
  type_ = parsed.head->type;
  const auto* diagnostic = std::get_if<ui::diagnostic>(&parsed.body);
  from_provisioner_ =
      diagnostic != nullptr && diagnostic->summary.find("provisioner error") != blanks.npos;
  value({treatment::mask, place::root, true}, false);
  copy_to(json_.size());
}

void message_redactor::copy_to(std::size_t end) {
  out_->append(json_, at_, end - at_);
  at_ = end;
}

void message_redactor::copy_blank() {
  copy_to(std::min(json_.find_first_not_of(blanks, at_), json_.size()));
}

// Behind the quote that ends the string whose first quote is at `at`.
std::size_t message_redactor::string_end(std::size_t at) const {
  for (++at; at < json_.size() && json_[at] != '"'; ++at) {
    if (json_[at] == '\\') ++at;
  }
  return std::min(at + 1, json_.size());
}

std::size_t message_redactor::value_end(std::size_t at) const {
  std::size_t depth = 0;
  for (; at < json_.size(); ++at) {
    const char c = json_[at];
    if (c == '"') {
      at = string_end(at) - 1;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (depth == 0) return at;
      --depth;
    } else if (is_scalar(c)) {
      while (at + 1 < json_.size() && is_scalar(json_[at + 1])) ++at;
    } else {
      continue;
    }
    if (depth == 0) return at + 1;
  }
  return at;
}

void message_redactor::value(member what, bool sensitive) {
  copy_blank();
  const bool goes =
      what.how == treatment::cut || (what.how == treatment::output_value && sensitive);
  if (goes) {
    cut();
  } else if (next() == '{') {
    object(what.inside);
  } else if (next() == '[') {
    array(what, sensitive);
  } else if (next() == '"') {
    string(what.how);
  } else {
    number(what.how);
  }
}

void message_redactor::cut() {
  out_->append("null");
  at_ = value_end(at_);
}

void message_redactor::object(place where) {
  const bool sensitive = where == place::output && says_sensitive();
  copy_to(at_ + 1);
  copy_blank();
  while (at_ < json_.size() && next() != '}') {
    const std::size_t end = string_end(at_);
    const std::string_view written = json_.substr(at_ + 1, end - at_ - 2);
    const member what = member_of(where, decoded_key(written));
    key(written, what);
    at_ = end;
    copy_blank();
    copy_to(at_ + 1);  // the colon
    value(what, sensitive);
    copy_blank();
    if (next() == ',') copy_to(at_ + 1);
    copy_blank();
  }
  copy_to(std::min(at_ + 1, json_.size()));
}

void message_redactor::array(member what, bool sensitive) {
  copy_to(at_ + 1);
  copy_blank();
  while (at_ < json_.size() && next() != ']') {
    value(what, sensitive);
    copy_blank();
    if (next() == ',') copy_to(at_ + 1);
    copy_blank();
  }
  copy_to(std::min(at_ + 1, json_.size()));
}

std::string_view message_redactor::decoded_key(std::string_view written) {
  if (written.find('\\') == written.npos) return written;
  unescape(written, key_);
  return key_;
}

void message_redactor::key(std::string_view written, const member& what) {
  out_->push_back('"');
  if (what.known)
    out_->append(written);
  else
    masked(written, finder::extent::any);
  out_->push_back('"');
}

// Whether the output whose object begins here is sensitive, wherever that stands in it.
bool message_redactor::says_sensitive() const {
  bool sensitive = false;
  std::size_t at = at_ + 1;
  std::string name;
  while (at < json_.size()) {
    at = std::min(json_.find_first_of("\"}", at), json_.size());
    if (at == json_.size() || json_[at] == '}') break;
    const std::size_t end = string_end(at);
    unescape(json_.substr(at + 1, end - at - 2), name);
    at = json_.find_first_not_of(": \t\r\n", end);
    if (at == json_.npos) break;
    // Of several of that name any will do.
    if (name == "sensitive") sensitive = sensitive || json_.substr(at, 4) == "true";
    at = value_end(at);
  }
  return sensitive;
}

// What a string says. Valid until the next string.
std::string_view message_redactor::said(std::string_view written) {
  decoded_.escapes.clear();
  if (written.find('\\') == written.npos) return written;
  unescape(written, decoded_.text, &decoded_.escapes);
  return decoded_.text;
}

void message_redactor::masked(std::string_view written, finder::extent what, std::size_t from) {
  const std::string_view text = said(written);
  const bool escaped = !decoded_.escapes.empty();
  std::size_t copied = 0;  // of what is written
  for (const part& each : finder_.find(text, what)) {
    if (each.end <= from) continue;
    const part hidden{std::max(each.begin, from), each.end};
    const std::size_t begin = escaped ? decoded_.source_begin(hidden.begin) : hidden.begin;
    const std::size_t end = escaped ? decoded_.source_end(hidden.end) : hidden.end;
    out_->append(written, copied, begin - copied);
    out_->append(masks_.of(text.substr(hidden.begin, hidden.end - hidden.begin)));
    copied = end;
  }
  out_->append(written, copied);
}

void message_redactor::string(treatment how) {
  const std::size_t end = string_end(at_);
  const std::string_view written = json_.substr(at_ + 1, end - at_ - 2);
  at_ = end;
  out_->push_back('"');
  using enum treatment;
  switch (how) {
    case word:
      if (is_word(said(written)))
        out_->append(written);
      else
        masked(written, finder::extent::any);
      break;
    case time:
      if (ui::parse_timestamp(said(written)))
        out_->append(written);
      else
        masked(written, finder::extent::any);
      break;
    case major: {
      const std::string_view text = said(written);
      masked(written, finder::extent::any,
             ui::major(text) ? std::min(text.find('.'), text.size()) : 0);
      break;
    }
    case relative: {
      const std::string_view mode = ui::mode_of(said(written));
      masked(written, finder::extent::any, mode == "managed" ? 0 : mode.size() + 1);
      break;
    }
    case ephemeral_step: {
      const std::string_view text = said(written);
      const bool known =
          text.starts_with("Open") || text.starts_with("Clos") || text.starts_with("Renew");
      masked(written, finder::extent::any, !known ? 0 : text.starts_with("R") ? 5 : 4);
      break;
    }
    case message:
      message_text(written);
      break;
    case printed:
      if (provisioners_ == provisioner_output::drop)
        out_->append(left_out);
      else
        masked(written, finder::extent::printed_line);
      break;
    case detail: {
      constexpr std::string_view quotes = "Output:";
      const std::size_t output = from_provisioner_ && provisioners_ == provisioner_output::drop
                                     ? written.find(quotes)
                                     : written.npos;
      if (output == written.npos) {
        masked(written, finder::extent::any);
      } else {
        masked(written.substr(0, output + quotes.size()), finder::extent::any);
        out_->append(" ").append(left_out);
      }
      break;
    }
    case address: {
      // Each is masked as it is where it stands alone: by the second the fold links.
      constexpr std::string_view by = ", called from ";
      const std::size_t joint = written.find(by);
      masked(written.substr(0, joint), finder::extent::any);
      if (joint == written.npos) break;
      out_->append(by);
      masked(written.substr(joint + by.size()), finder::extent::any);
      break;
    }
    case mask:
    case number:
    case output_value:
    case cut:
      masked(written, finder::extent::any);
      break;
  }
  out_->push_back('"');
}

// `@message` goes by the type: what the fold makes of it must come out the same.
void message_redactor::message_text(std::string_view written) {
  const bool drops = provisioners_ == provisioner_output::drop;
  if (drops && type_ == "provision_progress") {
    out_->append(left_out);
  } else if (drops && type_ == "action_progress") {
    left_out_lines(said(written));
  } else if (drops && type_ == "action_errored") {
    masked(written.substr(0, written.find(" - ")), finder::extent::any);
  } else if (type_ == "log") {
    const std::size_t before = out_->size();
    const std::string original{said(written)};
    masked(written, finder::extent::any);
    for (const std::string_view words : telling) {
      const bool lost =
          original.find(words) != original.npos && out_->find(words, before) == out_->npos;
      if (lost) out_->append(" ").append(words);
    }
  } else {
    masked(written,
           type_ == "provision_progress" ? finder::extent::printed_line : finder::extent::any);
  }
}

// Each line of output becomes a line of the feed: as many stay.
void message_redactor::left_out_lines(std::string_view said) {
  for (std::size_t at = 0; at < said.size();) {
    const std::size_t end = std::min(said.find('\n', at), said.size());
    if (end > at) out_->append(left_out);
    if (end < said.size()) out_->append("\\n");
    at = end + 1;
  }
}

void message_redactor::number(treatment how) {
  const std::size_t end = value_end(at_);
  const std::string_view written = json_.substr(at_, end - at_);
  const bool counts = how == treatment::number || how == treatment::time;
  if (counts || finder_.find(written, finder::extent::any).empty()) {
    copy_to(end);
    return;
  }
  // A password of digits is a number in JSON; it becomes text, and not that of the same digits in
  // a string: the fold tells the two apart.
  out_->push_back('"');
  out_->append(masks_.of("number " + std::string{written}));
  out_->push_back('"');
  at_ = end;
}

}  // namespace tofud::redact
