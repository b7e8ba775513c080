#include "daemon/attachments/schema_files.hpp"

#include "daemon/attachments/errors.hpp"
#include "daemon/attachments/limits.hpp"
#include "daemon/attachments/schema_document.hpp"
#include "daemon/files/document_file.hpp"
#include "protocol/schema/overlay.hpp"
#include "protocol/schema/provider_address.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace tofud::attachments {
namespace {

namespace fs = std::filesystem;

bool is_schema_name(const std::string& name) {
  return !name.starts_with('.') && (name.ends_with(".json") || name.ends_with(".json.gz"));
}

class reading {
 public:
  explicit reading(const schema::schemas_scanner::wanted& asks)
      : asks_{[&asks](const schema::place& at) {
          return schema::is_specified(at.provider) || asks(at);
        }} {}

  void read(const std::string& path) {
    std::error_code failed;
    if (!fs::is_directory(path, failed)) return read_file(path);
    for (const std::string& each : files_in(path)) read_file(each);
  }

  schema_files done() {
    made_.all = layers_.done();
    return std::move(made_);
  }

 private:
  std::vector<std::string> files_in(const std::string& directory) {
    std::vector<std::string> found;
    std::error_code failed;
    for (fs::directory_iterator each{directory, failed}, end; !failed && each != end;
         each.increment(failed)) {
      std::error_code gone;
      if (is_schema_name(each->path().filename().string()) && each->is_regular_file(gone))
        found.push_back(each->path().string());
    }
    if (failed) made_.wrong.emplace_back(error::unreadable_directory, directory, failed.message());
    if (!failed && found.empty()) made_.wrong.emplace_back(error::empty_directory, directory);
    std::sort(found.begin(), found.end());
    if (found.size() > limits::schema_files) {
      made_.wrong.emplace_back(error::many_files, directory, found.size(), limits::schema_files);
      found.resize(limits::schema_files);
    }
    return found;
  }

  void read_file(const std::string& path) {
    auto failure = try_file(path);
    if (!failure.empty()) made_.wrong.push_back(std::move(failure));
  }

  text::failure try_file(const std::string& path) {
    schema_document read = read_schema_document(path, asks_);
    if (!read.failure.empty()) return read.failure;
    for (const schema::finding& each : read.findings) {
      if (each.of == schema::finding::weight::error)
        return {error::bad_document, files::name_of_file(path), to_string(each)};
    }
    if (read.what == schema_document::format::unknown)
      return {error::no_schemas, files::name_of_file(path)};
    const bool specified = read.what == schema_document::format::specification;
    (specified ? made_.any_specification : made_.any_provider) = true;
    layers_.add(std::move(read.types));
    return {};
  }

  schema::schemas_scanner::wanted asks_;
  schema::schema_layers layers_;
  schema_files made_;
};

}  // namespace

schema_files read_schema_files(const std::vector<std::string>& paths,
                               const schema::schemas_scanner::wanted& asks) {
  reading all{asks};
  for (const std::string& each : paths) all.read(each);
  return all.done();
}

text::result<std::shared_ptr<const schema::schemas>> specifications_in(const std::string& path) {
  using specifications = std::shared_ptr<const schema::schemas>;
  if (path.empty()) return specifications{};
  schema_files read = read_schema_files({path}, [](const schema::place&) { return false; });
  if (!read.wrong.empty()) return read.wrong.front();
  if (!read.any_specification) return text::failure{error::no_specification, path};
  return specifications{std::make_shared<const schema::schemas>(std::move(read.all))};
}

std::string own_schemas_of(const std::string& root) {
  std::error_code failed;
  const fs::path place = fs::path{root.empty() ? "." : root} / "config" / "schemas";
  return fs::is_directory(place, failed) ? place.lexically_normal().string() : "";
}

}  // namespace tofud::attachments
