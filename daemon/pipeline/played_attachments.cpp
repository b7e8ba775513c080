#include "daemon/pipeline/played_attachments.hpp"

#include "daemon/attachments/files.hpp"
#include "daemon/attachments/hidden_file.hpp"
#include "daemon/attachments/limits.hpp"
#include "daemon/attachments/prepare.hpp"
#include "daemon/attachments/schema_files.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/spool/notice.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace tofud {
namespace {

std::string without_gz(std::string path) {
  if (path.ends_with(".gz")) path.resize(path.size() - std::string_view{".gz"}.size());
  return path;
}

}  // namespace

bool played_attachments::has(feed::attachment which) const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [which](const part& each) { return each.which == which; });
}

std::string played_attachments::keep(feed::attachment which, std::string_view text) {
  auto file = files::memory_file::of(text);
  if (!file) return file.error();
  parts_.push_back({0, which, file->path()});
  files_.push_back(std::move(*file));
  return "";
}

std::string played_attachments::name_plan(const attachments::wanted& named) {
  const auto [text, failure] = files::read_document(named.plan, limits::plan_document_bytes);
  if (!failure.empty()) return failure;
  attachments::schema_source source;
  if (!named.schemas.empty()) {
    source = [&](const schema::schemas_scanner::wanted& types) -> plan::result<schema::schemas> {
      attachments::schema_files read = attachments::read_schema_files(named.schemas, types);
      if (!read.wrong.empty()) return plan::failure{read.wrong.front()};
      return {boost::system::in_place_value, std::move(read.all)};
    };
  }
  const auto made = attachments::prepare_plan(text, source);
  if (!made) return named.plan + ": " + made.error().sentence;
  documents_->hide(attachments::ready_to_hide(made->hidden));
  std::string wrong = keep(feed::attachment::plan, made->plan);
  if (wrong.empty() && !made->schemas.empty())
    wrong = keep(feed::attachment::schemas, made->schemas);
  return wrong;
}

/// They lie over what was kept of schemas, if anything was.
std::string played_attachments::name_specifications(const attachments::wanted& named,
                                                    const std::string& kept) {
  std::vector<std::string> paths = named.schemas;
  if (::access(kept.c_str(), R_OK) == 0) paths.insert(paths.begin(), kept);
  const attachments::schema_files read =
      attachments::read_schema_files(paths, [](const schema::place&) { return true; });
  if (!read.wrong.empty()) return read.wrong.front();
  if (!read.any_specification)
    return "--schemas needs --plan: of the schemas only those of the plan's types are kept";
  const auto made = attachments::kept_schemas(read.all);
  return made ? keep(feed::attachment::schemas, *made) : made.error().sentence;
}

// The failure, or nothing.
std::string played_attachments::name(const attachments::wanted& named,
                                     const std::string& stream_path) {
  std::string wrong;
  if (!named.plan.empty()) {
    wrong = name_plan(named);
  } else if (!named.schemas.empty()) {
    wrong = name_specifications(named,
                                attachments::beside_spool(stream_path, feed::attachment::schemas));
  }
  if (wrong.empty() && !named.config.empty())
    wrong = keep(feed::attachment::config, attachments::prepare_config(named.config, ""));
  return wrong;
}

boost::system::result<played_attachments, std::string> played_attachments::read(
    const attachments::wanted& named, const std::string& stream_path,
    const events::run_events& said) {
  played_attachments made;
  if (auto failure = made.name(named, without_gz(stream_path)); !failure.empty()) return failure;
  made.add_kept(stream_path, said);
  return made;
}

void played_attachments::add_kept(const std::string& stream_path, const events::run_events& said) {
  const std::string stream = without_gz(stream_path);
  for (const events::attachment& each : said.attachments) {
    if (has(each.part)) continue;
    const std::string path = attachments::beside_spool(stream, each.part);
    parts_.push_back({each.offset, each.part, path});
    if (::access(path.c_str(), R_OK) != 0) {
      spool::notice(path + " can't be read; the " + std::string{feed::name(each.part)} +
                    " that was attached is not shown");
      parts_.back().path.clear();
    }
    if (each.hidden == 0) continue;
    hidden_ = attachments::hidden_beside_spool(stream);
    if (::access(hidden_.c_str(), R_OK) != 0)
      spool::notice(hidden_ + " can't be read; values that the plan calls sensitive are shown");
  }
  std::stable_sort(parts_.begin() + static_cast<std::ptrdiff_t>(taken_), parts_.end(),
                   [](const part& a, const part& b) { return a.offset < b.offset; });
}

std::uint64_t played_attachments::next() const {
  return taken_ < parts_.size() ? parts_[taken_].offset : std::numeric_limits<std::uint64_t>::max();
}

std::shared_ptr<const attachments::documents> played_attachments::in_effect() const {
  if (taken_ == 0) return nullptr;
  return documents_;
}

std::shared_ptr<const attachments::documents> played_attachments::due(std::uint64_t offset) {
  bool some = false;
  while (next() <= offset) {
    const part& each = parts_[taken_++];
    if (each.path.empty()) continue;
    if (each.which == feed::attachment::plan && !hidden_.empty())
      documents_->hide(attachments::ready_to_hide(attachments::read_hidden_file(hidden_)));
    const std::string failure = documents_->add(each.which, each.path);
    if (failure.empty()) {
      some = true;
    } else {
      spool::notice(failure + "; the " + std::string{feed::name(each.which)} +
                    " that was attached is not shown");
    }
  }
  if (!some) return nullptr;
  return documents_;
}

}  // namespace tofud
