#include "daemon/journal/removals.hpp"

#include "daemon/journal/layout.hpp"
#include "protocol/json/members.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <cerrno>
#include <fcntl.h>
#include <limits>

namespace tofud::journal {
namespace {

namespace json = boost::json;

std::optional<removal> parse_removal(std::string_view line) {
  json::error_code failed;
  const auto value = json::parse(json::string_view{line.data(), line.size()}, failed);
  if (failed || !value.is_object()) return std::nullopt;
  removal found;
  found.run = tofud::json::text_at(value.get_object(), "run");
  found.upload_id = tofud::json::text_at(value.get_object(), "upload_id");
  if (const auto at = ui::parse_timestamp(tofud::json::text_at(value.get_object(), "at")))
    found.at = *at;
  return found;
}

std::string to_line(const removal& removal) {
  std::string at;
  ui::append_timestamp(at, removal.at);
  json::object object;
  object["run"] = removal.run;
  object["upload_id"] = removal.upload_id;
  object["at"] = at;
  return json::serialize(object) + "\n";
}

}  // namespace

removals::removals(disk& on, const std::string& root) : disk_{on}, path_{removed_in(root)} {}

std::vector<removal> removals::read() {
  std::vector<removal> found;
  const auto text = read_file(disk_, path_, std::numeric_limits<std::size_t>::max());
  std::uint64_t good = 0;
  if (text) {
    for (std::size_t begin = 0, end = 0; (end = text->find('\n', begin)) != std::string::npos;) {
      const std::string_view line{text->data() + begin, end - begin};
      if (auto removal = parse_removal(line)) found.push_back(std::move(*removal));
      good = begin = end + 1;
    }
    if (good < text->size()) {
      const open_file file{disk_, disk_.open(path_, O_RDWR)};
      if (file) disk_.ftruncate(file.fd(), good);
    }
  }
  file_.emplace(disk_, path_, good);
  return found;
}

text::failure removals::add(const removal& removal) {
  if (!disk_.size(path_)) {
    const open_file made{disk_, disk_.open(path_, O_RDWR | O_CREAT)};
    if (!made) return refused(path_, error::not_made, errno);
    const auto slash = path_.rfind('/');
    if (const int error = sync_directory(disk_, path_.substr(0, slash)))
      return refused(path_, error::not_made, error);
  }
  if (!file_) read();
  file_->write(to_line(removal));
  text::failure failure = file_->sync();
  if (failure.empty()) file_->commit();
  return failure;
}

}  // namespace tofud::journal
