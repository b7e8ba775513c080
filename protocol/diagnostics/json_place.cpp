#include "protocol/diagnostics/json_place.hpp"

#include "protocol/diagnostics/limits.hpp"
#include "protocol/text/characters.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tofud::diagnostics {
namespace {

using type = outlined::type;

constexpr std::string_view cut_mark = "…";

// How a key at the root names its blocks, and whether an array under the last name is several
// blocks: a value of its own is one thing, whatever it is.
struct naming {
  std::string_view key;
  std::size_t names;
  bool several;
};

constexpr std::array<naming, 15> namings{{{"action", 2, true},
                                          {"data", 2, true},
                                          {"ephemeral", 2, true},
                                          {"import", 0, true},
                                          {"locals", 1, false},
                                          {"moved", 0, true},
                                          {"override_data", 0, true},
                                          {"override_module", 0, true},
                                          {"override_resource", 0, true},
                                          {"removed", 0, true},
                                          {"resource", 2, true},
                                          {"terraform", 1, true},
                                          {"test", 0, true},
                                          {"variables", 1, false},
                                          {"//", 0, false}}};
// `module`, `provider`, `output`, `variable`, `check`, `run`, …
constexpr naming one_name{"", 1, true};
constexpr naming value_of_variable{"", 0, false};

naming naming_of(std::string_view key, std::string_view filename) {
  if (filename.ends_with(".tfvars.json")) return value_of_variable;
  const auto found = std::find_if(namings.begin(), namings.end(),
                                  [&](const naming& each) { return each.key == key; });
  return found == namings.end() ? one_name : *found;
}

// So that it ends with a whole character.
void cut(std::string& text, std::size_t most) {
  if (text.size() <= most) return;
  most -= cut_mark.size();
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80) --most;
  text.resize(most);
  text += cut_mark;
}

std::size_t index_of(const json_outline& file, std::uint32_t element) {
  std::size_t before = 0;
  file.each_in(file.node(element).parent, [&](std::uint32_t each) {
    if (each < element) ++before;
  });
  return before;
}

}  // namespace

bool is_json_file(std::string_view filename) {
  constexpr std::array<std::string_view, 5> ends{".tf.json", ".tofu.json", ".tftest.json",
                                                 ".tofutest.json", ".tfvars.json"};
  return std::any_of(ends.begin(), ends.end(),
                     [&](std::string_view end) { return filename.ends_with(end); });
}

std::string path_of(const json_outline& file, std::uint32_t at) {
  std::string path;
  for (const std::uint32_t each : file.chain(at)) {
    if (path.size() > limits::generated_line_bytes) break;
    const std::string_view name = file.name(each);
    if (!file.node(each).is_member()) {
      if (file.node(file.node(each).parent).what != type::array) continue;  // the root
      path += "[" + std::to_string(index_of(file, each)) + "]";
    } else if (text::is_identifier(name)) {
      if (!path.empty()) path += '.';
      path += name;
    } else {
      path.append("[\"").append(name.substr(0, limits::generated_line_bytes)).append("\"]");
    }
  }
  cut(path, limits::generated_line_bytes);
  return path;
}

std::vector<std::string_view> names_of(std::string_view path) {
  std::vector<std::string_view> names;
  while (!path.empty() && !path.starts_with(cut_mark)) {
    if (path.starts_with("[\"")) {
      const std::size_t end = path.find("\"]");
      if (end == std::string_view::npos) break;
      names.push_back(path.substr(2, end - 2));
      path.remove_prefix(end + 2);
    } else if (path.front() == '[') {
      path.remove_prefix(std::min(path.find(']'), path.size() - 1) + 1);
    } else {
      if (path.front() == '.') path.remove_prefix(1);
      const std::string_view name = path.substr(0, path.find_first_of(".["));
      path.remove_prefix(name.size());
      if (name.find(cut_mark) != std::string_view::npos) break;
      if (!name.empty()) names.push_back(name);
    }
  }
  return names;
}

std::optional<std::uint32_t> enclosing_block(const json_outline& file, std::uint32_t at,
                                             std::string_view filename) {
  const std::vector<std::uint32_t> links = file.chain(at);
  auto link = links.begin();
  const auto find_member = [&] {
    link = std::find_if(link, links.end(),
                        [&](std::uint32_t each) { return file.node(each).is_member(); });
    return link != links.end();
  };
  if (!find_member()) return {};
  const naming how = naming_of(file.name(*link), filename);
  for (std::size_t names = 0; names < how.names; ++names) {
    ++link;
    if (!find_member()) return {};
  }
  if (!how.several) return *link;
  while (file.node(*link).what == type::array) {
    if (++link == links.end()) return {};
  }
  return *link;
}

}  // namespace tofud::diagnostics
