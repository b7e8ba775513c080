#include "daemon/cli/recovery/recovered_state.hpp"

#include "daemon/cli/recovery/errors.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/stack/run_facts.hpp"
#include "daemon/stack/state_place.hpp"
#include "protocol/text/limits.hpp"

#include <system_error>
#include <utility>

namespace tofud::recovery {
namespace {

using found_state = text::result<recovered_state>;

found_state made_of(std::string_view text, std::string name, std::filesystem::path file) {
  auto held = recover::read_held_state(text);
  if (!held) return text::failure{error::no_state, name, held.error()};
  return recovered_state{std::move(*held), std::move(name), std::move(file)};
}

found_state read_file(const std::string& file) {
  std::error_code failed;
  const bool is_there = file == "-" || std::filesystem::exists(file, failed) || failed;
  if (!is_there) return recovered_state{{}, file, file};
  const auto read = files::read_document(file, limits::state_file_bytes);
  if (!read) return read.error();
  return made_of(*read, files::name_of_file(file), file == "-" ? "" : file);
}

}  // namespace

found_state find_state(const std::string& file, std::string_view dump) {
  if (!file.empty()) return read_file(file);
  if (!dump.empty()) return made_of(dump, "that the stream has printed", {});
  const stack::state_place place = stack::state_place_of(stack::place_of({}));
  if (!place.backend.empty()) {
    return text::failure{error::remote_state, place.backend};
  }
  return read_file(place.file.string());
}

}  // namespace tofud::recovery
