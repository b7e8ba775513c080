#include "daemon/pipeline/attached_parts.hpp"

#include "daemon/attachments/files.hpp"
#include "daemon/attachments/hidden_file.hpp"
#include "daemon/attachments/limits.hpp"
#include "daemon/attachments/prepare.hpp"
#include "daemon/attachments/schema_files.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/pipeline/errors.hpp"
#include "daemon/spool/notice.hpp"

#include <string_view>
#include <unistd.h>
#include <utility>

namespace tofud::pipeline {
namespace {

std::string without_gz(std::string path) {
  if (path.ends_with(".gz")) path.resize(path.size() - std::string_view{".gz"}.size());
  return path;
}

}  // namespace

attached_parts::attached_parts(const std::string& stream_path)
    : stream_path_{without_gz(stream_path)} {}

text::failure attached_parts::keep(feed::attachment which, std::string_view text) {
  auto file = files::memory_file::of(text);
  if (!file) return file.error();
  of(which).path = file->path();
  files_.push_back(std::move(*file));
  return {};
}

text::failure attached_parts::name_plan(const attachments::wanted& named) {
  const auto text = files::read_document(named.plan, limits::plan_document_bytes);
  if (!text) return text.error();
  attachments::schema_source source;
  if (!named.schemas.empty()) {
    source = [&](const schema::schemas_scanner::wanted& types) -> plan::result<schema::schemas> {
      attachments::schema_files read = attachments::read_schema_files(named.schemas, types);
      if (!read.wrong.empty()) return read.wrong.front();
      return {boost::system::in_place_value, std::move(read.all)};
    };
  }
  const auto made = attachments::prepare_plan(*text, source);
  if (!made) return {error::bad_plan, named.plan, made.error()};
  hidden_ = attachments::ready_to_hide(made->hidden);
  auto wrong = keep(feed::attachment::plan, made->plan);
  if (wrong.empty() && !made->schemas.empty())
    wrong = keep(feed::attachment::schemas, made->schemas);
  return wrong;
}

/// They lie over what was kept of schemas, if anything was.
text::failure attached_parts::name_specifications(const attachments::wanted& named) {
  const std::string kept = attachments::beside_spool(stream_path_, feed::attachment::schemas);
  std::vector<std::string> paths = named.schemas;
  if (::access(kept.c_str(), R_OK) == 0) paths.insert(paths.begin(), kept);
  const attachments::schema_files read =
      attachments::read_schema_files(paths, [](const schema::place&) { return true; });
  if (!read.wrong.empty()) return read.wrong.front();
  if (!read.any_specification) return error::needs_plan;
  const auto made = attachments::kept_schemas(read.all);
  if (!made) return made.error();
  return keep(feed::attachment::schemas, *made);
}

text::failure attached_parts::name(const attachments::wanted& named) {
  text::failure wrong;
  if (!named.plan.empty()) {
    wrong = name_plan(named);
  } else if (!named.schemas.empty()) {
    wrong = name_specifications(named);
  }
  if (wrong.empty() && !named.config.empty())
    wrong = keep(feed::attachment::config, attachments::prepare_config(named.config, ""));
  return wrong;
}

text::result<attached_parts> attached_parts::named(const attachments::wanted& named,
                                                   const std::string& stream_path) {
  attached_parts made{stream_path};
  auto failure = made.name(named);
  if (!failure.empty()) return failure;
  return {boost::system::in_place_value, std::move(made)};
}

std::vector<events::event> attached_parts::news(const events::known_run& said) {
  std::vector<events::event> news;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].path.empty() || std::exchange(parts_[i].told, true)) continue;
    news.push_back({0, events::attachment{static_cast<feed::attachment>(i), "", 0, 0}});
  }
  if (stream_path_.empty()) return news;
  for (const auto& each : said.attachments) {
    if (!std::exchange(of(each.what.part).told, true)) news.push_back({each.offset, each.what});
  }
  return news;
}

text::failure attached_parts::add(const events::attachment& which, attachments::documents& known,
                                  std::string& remark) const {
  const std::string& named = of(which.part).path;
  const std::string path =
      named.empty() ? attachments::beside_spool(stream_path_, which.part) : named;
  if (::access(path.c_str(), R_OK) != 0) return {error::part_gone, path, feed::name(which.part)};
  if (which.part == feed::attachment::plan && !named.empty()) {
    known.hide(hidden_);
  } else if (which.hidden > 0) {
    const std::string hidden = attachments::hidden_beside_spool(stream_path_);
    if (::access(hidden.c_str(), R_OK) != 0)
      remark = hidden + " can't be read; values that the plan marks as sensitive are shown";
    known.hide(attachments::ready_to_hide(attachments::read_hidden_file(hidden)));
  }
  const auto failure = known.add(which.part, path);
  if (failure.empty()) return {};
  return {error::part_not_shown, failure, feed::name(which.part)};
}

part_reader attached_parts::reader(trouble what) const {
  return [this, what](const events::attachment& which, attachments::documents& known) {
    std::string remark;
    const auto failure = add(which, known, remark);
    for (const std::string& each : {remark, failure.text()}) {
      if (what == trouble::told && !each.empty()) spool::notice(each);
    }
    return failure.empty();
  };
}

}  // namespace tofud::pipeline
