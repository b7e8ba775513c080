#include "daemon/correlator/run_rows.hpp"

#include "daemon/correlator/limits.hpp"
#include "daemon/correlator/state_archive.hpp"
#include "protocol/text/whole_number.hpp"
#include "protocol/ui/resource_address.hpp"

#include <algorithm>

namespace tofud::correlator {

using feed::row_kind;
using feed::row_number;

std::string_view run_rows::kept_word(std::string_view word) {
  if (word.empty()) return {};
  const auto found = words_.find(word);
  return found == words_.end() ? *words_.insert(kept(word)).first : *found;
}

resource_state* run_rows::resource_at(std::string_view addr) {
  // Lines of one resource often come in a row.
  if (last_found_ != nullptr && last_found_->row.addr == addr) return last_found_;
  const auto found = place_of(addr);
  if (!found) return nullptr;
  return last_found_ = &resources[*found];
}

std::optional<std::uint32_t> run_rows::place_of(std::string_view addr) const {
  return by_addr.find(addr, [this](std::uint32_t place) { return resources[place].row.addr; });
}

feed::resource_names run_rows::names_of(std::string_view addr, const feed::address_parts& parts) {
  if (auto made = feed::resource_names::within(addr, parts)) return std::move(*made);
  return feed::resource_names::of(
      addr, {kept_word(parts.module), kept_word(parts.mode), kept_word(parts.type),
             kept_word(parts.name), kept_word(parts.index), kept_word(parts.provider)});
}

resource_state& run_rows::add_resource(row_number number, std::string_view addr,
                                       const feed::address_parts& parts) {
  resource_state& added = resources.emplace_back();
  added.number = number;
  unsettled.push_back(true);
  added.row.addr = kept(addr);
  added.row.names = names_of(added.row.addr, parts);
  added.row.first = static_cast<std::uint32_t>(resources.size());
  by_addr.put(added.row.addr, static_cast<std::uint32_t>(resources.size() - 1));
  if (unlinked.empty()) return added;
  const auto waiting = unlinked.find(std::string{added.row.addr});
  if (waiting == unlinked.end()) return added;
  for (const std::uint32_t ordinal : waiting->second) added.add_diagnostic(ordinal);
  unlinked.erase(waiting);
  return added;
}

run_rows::output_entry& run_rows::add_output(row_number number, std::string_view name) {
  output_entry& added = outputs.emplace_back();
  added.number = number;
  added.row.name = name;
  by_output.emplace(added.row.name, static_cast<std::uint32_t>(outputs.size() - 1));
  return added;
}

std::optional<row_number> run_rows::find(row_kind kind, std::string_view key) const {
  const auto by_ordinal = [&](const auto& rows) -> std::optional<row_number> {
    const auto ordinal = text::parse_whole_number<std::uint32_t>(key);
    if (!ordinal || *ordinal == 0 || *ordinal > rows.size()) return {};
    return rows[*ordinal - 1].number;
  };
  const auto by_key = [&](const auto& map, const auto& rows) -> std::optional<row_number> {
    const auto found = map.find(typename std::decay_t<decltype(map)>::key_type{key});
    if (found == map.end()) return {};
    return rows[found->second].number;
  };
  switch (kind) {
    case row_kind::resource:
      if (const auto found = place_of(key)) return resources[*found].number;
      return {};
    case row_kind::output:
      return by_key(by_output, outputs);
    case row_kind::test_file:
      return by_key(by_test_file, test_files);
    case row_kind::test_run:
      return by_key(by_test_run, test_runs);
    case row_kind::diagnostic:
      return by_ordinal(diagnostics);
    case row_kind::message:
      return by_ordinal(messages);
    case row_kind::run:
    case row_kind::forecast:
    case row_kind::stack:
    case row_kind::log:
    case row_kind::text:
      break;
  }
  return {};
}

// Where each row is found, and which words are kept, follows from the rows.
void run_rows::save(state_writer& to) const {
  to.put(seq);
  to.put(entries);
  to.put(resources.size());
  for (const resource_state& each : resources) {
    to.put(each.row);
    to.put(each.number);
    to.put(each.loose_lines);
    to.put(each.counted);
    to.put(each.remembered());
  }
  to.put(diagnostics);
  to.put(outputs);
  to.put(messages);
  to.put(test_files);
  to.put(test_runs);
  to.put(unlinked);
  to.put(opened_reads);
  to.put(stateless);
  to.put(texts);
  to.put(full);
  to.put(first_failed);
  to.put(first_error);
}

void run_rows::load(state_reader& from) {
  // As if they had come by lines: most are parts of the address, which is a row's first text, or
  // stand a second time in one of its steps.
  std::string_view addr, last;
  from.keep_by([&](std::string_view text) -> std::string_view {
    if (text.empty()) return {};
    if (addr.empty()) return addr = kept(text);
    if (const std::size_t at = addr.find(text); at != addr.npos)
      return addr.substr(at, text.size());
    if (text == last) return last;
    return text.size() > limits::word_bytes ? last = kept(text) : kept_word(text);
  });
  from.get(seq);
  from.get(entries);
  std::size_t count = 0;
  from.get(count);
  for (; count > 0 && !from.failed(); --count) {
    resource_state& each = resources.emplace_back();
    resource_state::tally remembered;
    addr = {};
    from.get(each.row);
    from.get(each.number);
    from.get(each.loose_lines);
    from.get(each.counted);
    from.get(remembered);
    each.remember(remembered);
    if (each.row.id_step > each.row.steps.size() ||
        each.row.names.mode_number > feed::resource_names::apart_from_it)
      return from.fail();
    each.row.first = static_cast<std::uint32_t>(resources.size());
    unsettled.push_back(each.is_unsettled());
    by_addr.put(each.row.addr, static_cast<std::uint32_t>(resources.size() - 1));
  }
  from.keep_by([this](std::string_view word) { return kept_word(word); });
  from.get(diagnostics);
  from.get(outputs);
  from.get(messages);
  from.get(test_files);
  from.get(test_runs);
  from.get(unlinked);
  from.get(opened_reads);
  from.get(stateless);
  from.get(texts);
  from.get(full);
  from.get(first_failed);
  from.get(first_error);
  if (first_failed.value_or(0) >= std::max<std::size_t>(resources.size(), 1) ||
      first_error.value_or(0) >= std::max<std::size_t>(diagnostics.size(), 1))
    from.fail();
  const auto index = [](auto& by, const auto& rows, const auto& key) {
    for (std::uint32_t i = 0; i < rows.size(); ++i) by.emplace(key(rows[i].row), i);
  };
  const auto path = [](const auto& row) -> std::string_view { return row.path; };
  index(by_output, outputs, [](const auto& row) -> std::string_view { return row.name; });
  index(by_test_file, test_files, path);
  index(by_test_run, test_runs, [](const auto& row) { return feed::key(row); });
}

feed::row_facts run_rows::facts(row_number row) const {
  const entry& found = entries[row];
  if (found.kind == row_kind::resource) {
    const feed::resource_row& resource = resources[found.index].row;
    const feed::address_parts parts = resource.parts();
    return {found.kind, resource.addr, parts.module, parts.type};
  }
  if (found.kind == row_kind::diagnostic) {
    const std::string_view addr = diagnostics[found.index].row.address;
    if (const auto parts = ui::parse_address(addr))
      return {found.kind, addr, parts->module, parts->type};
  }
  return {found.kind, {}, {}, {}};
}

void run_rows::encode(std::string& out, row_number row, feed::row_context context) const {
  const entry& found = entries[row];
  switch (found.kind) {
    case row_kind::resource:
      return feed::encode(out, resources[found.index].row, context);
    case row_kind::diagnostic:
      context.left_out = diagnostics[found.index].bytes_cut;
      return feed::encode(out, diagnostics[found.index].row, context);
    case row_kind::output:
      context.left_out = outputs[found.index].bytes_cut;
      return feed::encode(out, outputs[found.index].row, context);
    case row_kind::message:
      context.left_out = messages[found.index].bytes_cut;
      return feed::encode(out, messages[found.index].row, context);
    case row_kind::test_file:
      return feed::encode(out, test_files[found.index].row, context);
    case row_kind::test_run:
      return feed::encode(out, test_runs[found.index].row, context);
    case row_kind::run:
    case row_kind::forecast:
    case row_kind::stack:
    case row_kind::log:
    case row_kind::text:
      break;  // views and lines are no rows
  }
}

std::size_t run_rows::bytes_cut(row_number row) const {
  const entry& found = entries[row];
  if (found.kind == row_kind::diagnostic) return diagnostics[found.index].bytes_cut;
  if (found.kind == row_kind::output) return outputs[found.index].bytes_cut;
  if (found.kind == row_kind::message) return messages[found.index].bytes_cut;
  return 0;
}

std::size_t run_rows::memory() const {
  constexpr std::size_t each_resource = sizeof(resource_state) + sizeof(feed::provisioner);
  constexpr std::size_t each_row = sizeof(entry) + 512;  // and its places in indices and topics
  return entries.size() * each_row + resources.size() * each_resource + text.size() + texts +
         diagnostics.size() * sizeof(feed::diagnostic_row);
}

}  // namespace tofud::correlator
