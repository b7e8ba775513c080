#include "daemon/forge/comment.hpp"

#include "daemon/forge/limits.hpp"
#include "protocol/text/markdown.hpp"
#include "protocol/text/percent.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace tofud::forge {
namespace {

constexpr std::string_view opening = "<!-- tofud:", closing = " -->";
constexpr std::string_view first_mark = "<!-- tofud:comment -->";
constexpr std::string_view more_mark = "<!-- tofud:more -->", end_mark = "<!-- tofud:end -->";

constexpr std::array<std::string_view, 5> risk_names = {"failed", "destroys", "changes", "none",
                                                        "applied"};

std::string_view name(risk of) { return risk_names[static_cast<std::size_t>(of)]; }

std::optional<risk> risk_named(std::string_view word) {
  const auto* found = std::find(risk_names.begin(), risk_names.end(), word);
  if (found == risk_names.end()) return {};
  return static_cast<risk>(found - risk_names.begin());
}

void trim(std::string& text) {
  text.erase(0, std::min(text.find_first_not_of('\n'), text.size()));
  while (text.ends_with('\n')) text.pop_back();
}

/// What runs say can't be a mark.
std::string without_marks(std::string text) {
  trim(text);
  for (std::size_t at = 0; (at = text.find(opening, at)) != std::string::npos;)
    text.insert(at + opening.size() - 1, 1, ' ');
  return text;
}

risk risk_of(const section& of) {
  if (of.apply) return of.apply->of;
  return of.plan ? of.plan->of : risk::none;
}

/// The words of a mark that is a line of its own; none if it is no mark.
std::vector<std::string_view> words_of_mark(std::string_view line) {
  if (!line.starts_with(opening) || !line.ends_with(closing)) return {};
  line.remove_prefix(opening.size());
  line.remove_suffix(closing.size());
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

class reader {
 public:
  explicit reader(std::map<std::string, section>& into) : into_{into} {}

  void read(std::string_view line) {
    const auto words = words_of_mark(line);
    if (words.empty()) return keep(line);
    if (words[0] == "more" && words.size() == 1 && part_ != nullptr) {
      text_ = &part_->rest;
      return;
    }
    end();
    if (words[0] == "stack" && words.size() <= 2) {
      auto stack = text::percent_decoded(words.size() == 2 ? words[1] : std::string_view{});
      if (stack && into_.size() < limits::forge_sections) section_ = &into_[std::move(*stack)];
    } else if ((words[0] == "plan" || words[0] == "apply") && words.size() == 4) {
      begin(words);
    } else {
      section_ = nullptr;
    }
  }
  void end() {
    if (part_ != nullptr) {
      trim(part_->head);
      trim(part_->rest);
    }
    part_ = nullptr;
    text_ = nullptr;
  }

 private:
  void keep(std::string_view line) {
    if (text_ != nullptr) text_->append(line).push_back('\n');
  }
  void begin(const std::vector<std::string_view>& words) {
    const auto of = risk_named(words[3]);
    if (section_ == nullptr || !of) return;
    auto& into = words[0] == "plan" ? section_->plan : section_->apply;
    into.emplace();
    into->run = text::percent_decoded(words[1]).value_or("");
    into->began = words[2];
    into->of = *of;
    part_ = &*into;
    text_ = &part_->head;
  }
  std::map<std::string, section>& into_;
  section* section_ = nullptr;
  part* part_ = nullptr;
  std::string* text_ = nullptr;
};

constexpr std::string_view cut_here = "… and more than a comment has room for";

std::string text_of(std::string_view kind, const part& of, std::size_t room) {
  std::string mark{opening};
  mark.append(kind).append(" ");
  text::append_percent_encoded(mark, of.run);
  mark.append(" ").append(of.began).append(" ").append(name(of.of)).append(closing);
  std::string out = mark + "\n" + of.head + "\n";
  if (of.rest.empty()) return out;
  out.append(more_mark).append("\n\n");
  if (of.rest.size() <= room) return out + of.rest + "\n\n";
  std::string kept{whole_blocks(of.rest, room - std::min(room, cut_here.size() + 2))};
  trim(kept);
  if (!kept.empty()) kept += "\n\n";
  return out.append(kept).append(cut_here).append("\n\n");
}

/// Within about `room` bytes of text below the headlines.
std::string text_of(const std::string& stack, const section& of, std::size_t room) {
  std::string out = std::string{opening} + "stack ";
  text::append_percent_encoded(out, stack);
  out.append(closing).append("\n### ");
  out += stack.empty() ? "a stack without a name" : text::markdown_code(stack);
  out += "\n\n";
  // An apply has the first half and what the plan leaves of the other.
  const std::size_t plan_bytes = of.plan ? of.plan->rest.size() : 0;
  const std::size_t for_apply = std::max(room / 2, room - std::min(room, plan_bytes));
  std::size_t left = room;
  if (of.apply) {
    out += text_of("apply", *of.apply, for_apply) + "\n";
    left -= std::min({of.apply->rest.size(), for_apply, left});
  }
  if (of.plan) out += text_of("plan", *of.plan, left);
  return out.append(end_mark).append("\n\n");
}

std::string counted(const std::map<std::string, section>& sections) {
  std::array<std::size_t, risk_names.size()> counts{};
  for (const auto& [stack, each] : sections) ++counts[static_cast<std::size_t>(risk_of(each))];
  constexpr std::array<std::string_view, risk_names.size()> words = {
      " failed", " would destroy", " would change", " without changes", " applied"};
  std::string text = "**OpenTofu**: " + std::to_string(sections.size()) +
                     (sections.size() == 1 ? " stack" : " stacks");
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) text += ", " + std::to_string(counts[i]) + std::string{words[i]};
  }
  return text;
}

std::size_t rest_bytes(const section& of) {
  return (of.plan ? of.plan->rest.size() : 0) + (of.apply ? of.apply->rest.size() : 0);
}

}  // namespace

std::string_view whole_blocks(std::string_view markdown, std::size_t room) {
  std::size_t good = 0;
  std::string_view fence;  // the ticks of the one that is open
  int details = 0;
  for (std::size_t at = 0; at < markdown.size();) {
    const std::size_t newline = markdown.find('\n', at);
    const std::size_t end = newline == std::string_view::npos ? markdown.size() : newline;
    const std::string_view line = markdown.substr(at, end - at);
    if (fence.empty() && details == 0 && line.empty() && at <= room) good = at;
    if (at > room) break;
    const std::size_t ticks = std::min(line.find_first_not_of('`'), line.size());
    if (fence.empty()) {
      if (ticks >= 3) fence = line.substr(0, ticks);
      if (line.starts_with("<details")) ++details;
      if (line.starts_with("</details>") && details > 0) --details;
    } else if (ticks >= fence.size() && ticks == line.size()) {
      fence = {};
    }
    at = end + 1;
  }
  if (markdown.size() <= room) return markdown;
  return markdown.substr(0, good);
}

bool stacks_comment::is_in(std::string_view body) { return body.starts_with(first_mark); }

stacks_comment stacks_comment::parse(std::string_view body) {
  stacks_comment made;
  if (!is_in(body)) return made;
  reader to{made.sections_};
  while (!body.empty()) {
    const std::size_t end = std::min(body.find('\n'), body.size());
    std::string_view line = body.substr(0, end);
    // GitHub gives back what browsers write.
    if (line.ends_with('\r')) line.remove_suffix(1);
    to.read(line);
    body.remove_prefix(std::min(end + 1, body.size()));
  }
  to.end();
  std::erase_if(made.sections_, [](const auto& each) { return each.second == section{}; });
  return made;
}

void stacks_comment::put(const std::string& stack, of_run what, part said) {
  if (!sections_.contains(stack) && sections_.size() >= limits::forge_sections) return;
  section& into = sections_[stack];
  auto& place = what == of_run::plan ? into.plan : into.apply;
  if (place && place->began > said.began) return;
  said.head = without_marks(std::move(said.head));
  said.rest = without_marks(std::move(said.rest));
  place = std::move(said);
  // Of what is planned anew nothing is applied.
  if (into.plan && into.apply && into.plan->began > into.apply->began) into.apply.reset();
}

void stacks_comment::merge(const stacks_comment& other) {
  for (const auto& [stack, each] : other.sections_) {
    if (each.plan) put(stack, of_run::plan, *each.plan);
    if (each.apply) put(stack, of_run::apply, *each.apply);
  }
}

bool stacks_comment::has(const std::string& stack, of_run what, const part& said) const {
  const auto found = sections_.find(stack);
  if (found == sections_.end()) return false;
  const auto& place = what == of_run::plan ? found->second.plan : found->second.apply;
  const auto is_said = [&said](const part& there) {
    return there.run == said.run && there.began == said.began && there.of == said.of &&
           there.head == said.head;  // the rest may be cut
  };
  if (place) return is_said(*place) || place->began > said.began;
  // An apply that a later plan has ended.
  return what == of_run::apply && found->second.plan && found->second.plan->began > said.began;
}

std::string stacks_comment::text(std::size_t room) const {
  std::vector<const std::pair<const std::string, section>*> order;
  order.reserve(sections_.size());
  for (const auto& each : sections_) order.push_back(&each);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return risk_of(a->second) < risk_of(b->second);
  });
  const std::string first = std::string{first_mark} + "\n" + counted(sections_) + "\n\n";
  // What each takes without what can be cut; then the share that each may have of the rest.
  std::size_t fixed = first.size();
  std::vector<std::size_t> wanted;
  wanted.reserve(order.size());
  for (const auto* each : order) {
    const std::size_t rest = rest_bytes(each->second);
    fixed += text_of(each->first, each->second, rest).size() - rest;
    wanted.push_back(rest);
  }
  std::size_t left = room - std::min(room, fixed);
  std::size_t share = 0;
  std::vector<std::size_t> by_size = wanted;
  std::sort(by_size.begin(), by_size.end());
  for (std::size_t i = 0; i < by_size.size(); ++i) {
    share = left / (by_size.size() - i);
    if (by_size[i] > share) break;
    left -= by_size[i];
    share = by_size[i];
  }
  std::string out = first;
  std::size_t left_out = 0;
  for (const auto* each : order) {
    const std::string one = text_of(each->first, each->second, share);
    // Only headlines may be too many.
    if (out.size() + one.size() + 64 > room)
      ++left_out;
    else
      out += one;
  }
  if (left_out > 0) out += "… and " + std::to_string(left_out) + " more stacks\n";
  while (out.ends_with('\n')) out.pop_back();
  return out;
}

}  // namespace tofud::forge
