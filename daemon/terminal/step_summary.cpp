#include "daemon/terminal/step_summary.hpp"

#include "daemon/terminal/style.hpp"
#include "protocol/feed/annotations.hpp"
#include "protocol/text/duration.hpp"

#include <algorithm>
#include <utility>

namespace tofud::terminal {
namespace {

using feed::resource_status;

constexpr std::size_t for_the_last_line = 64;  // "and 123 more"

// Every character that could mean something in Markdown or HTML goes as an entity, which can't
// make structure (CommonMark, 2.5).
std::string plain_text(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool harmless = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') || c == ' ' || c == '-' || c == '/' ||
                          byte >= 0x80;
    if (harmless) {
      out.push_back(c);
    } else {
      out.append("&#").append(std::to_string(static_cast<unsigned>(byte))).append(";");
    }
  }
  return out;
}

std::string counts_text(const feed::run_view& run) {
  std::string text;
  for (std::size_t i = 0; i < feed::resource_statuses; ++i) {
    if (run.counts[i] == 0) continue;
    text += text.empty() ? "" : ", ";
    text += std::to_string(run.counts[i]) + " ";
    text += feed::name(static_cast<resource_status>(i));
  }
  return text;
}

std::string heading(const feed::run_view& run) {
  const bool good = run.status == feed::run_status::succeeded;
  std::string text = "### ";
  text.append(good ? "✓ " : "✗ ").append(feed::name(run.command)).append(" ");
  text.append(feed::name(run.status));
  if (!run.stack.empty()) text.append(": ").append(plain_text(run.stack));
  text += "\n\n| resources | took |\n|---|---|\n| " + counts_text(run) + " | ";
  if (run.started_at && run.ended_at) text += text::duration(*run.ended_at - *run.started_at);
  return text + " |\n";
}

// The first error that names the resource, else the first diagnostic.
std::string reason(const finished_run& run, const feed::resource_row& resource) {
  const feed::diagnostic_row* found = nullptr;
  for (const std::uint32_t ordinal : resource.diagnostics) {
    if (ordinal == 0 || ordinal > run.diagnostics.size()) continue;
    const feed::diagnostic_row* each = run.diagnostics[ordinal - 1];
    if (found == nullptr || (found->severity != "error" && each->severity == "error")) found = each;
  }
  return found == nullptr ? std::string{} : plain_text(found->summary);
}

std::vector<std::string> rows(const finished_run& run) {
  std::vector<std::string> found;
  for (const resource_status wanted : {resource_status::failed, resource_status::interrupted}) {
    for (const feed::resource_row* each : run.resources) {
      if (each->status != wanted) continue;
      std::string row = wanted == resource_status::failed ? "| ✗ failed | " : "| never finished | ";
      std::string why = reason(run, *each);
      if (const std::string said = plain_text(feed::in_words(each->source->said)); !said.empty())
        why += (why.empty() ? "" : " · ") + said;
      if (each->causes != nullptr && each->causes->strands.value_or(0) > 0)
        why += (why.empty() ? "" : " · ") + std::to_string(*each->causes->strands) + " behind it";
      row.append(plain_text(each->addr)).append(" | ").append(why).append(" |\n");
      found.push_back(std::move(row));
    }
  }
  for (const feed::diagnostic_row* each : run.diagnostics) {
    if (each->severity != "error" || !each->address.empty()) continue;
    found.push_back("| ✗ error | | " + plain_text(each->summary) + " |\n");
  }
  return found;
}

}  // namespace

std::string step_summary(const finished_run& run, std::size_t room) {
  std::string text = heading(run.run);
  // Between angle brackets nothing but these ends a link (CommonMark, 6.3).
  const bool fits =
      run.url.starts_with("http") && run.url.find_first_of("<>\\\r\n") == run.url.npos;
  if (fits) text += "\n[Open the run](<" + run.url + ">)\n";
  const std::vector<std::string> all = rows(run);
  if (!all.empty()) text += "\n| | resource | why |\n|---|---|---|\n";
  if (text.size() + for_the_last_line > room) return "";
  std::size_t taken = 0;
  while (taken < all.size() && text.size() + all[taken].size() + for_the_last_line <= room) {
    text += all[taken++];
  }
  if (taken < all.size()) text += "\nand " + std::to_string(all.size() - taken) + " more\n";
  const auto slow = slowest_of(run);
  std::string table = "\n| slowest | resource |\n|---|---|\n";
  for (const slow_step& each : slow) {
    table += "| " + text::duration(each.took) + " " + std::string{feed::name(each.done->action)} +
             " | " + plain_text(each.resource->addr) + " |\n";
  }
  if (!slow.empty() && text.size() + table.size() < room) text += table;
  return text + "\n";
}

}  // namespace tofud::terminal
