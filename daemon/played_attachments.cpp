#include "daemon/played_attachments.hpp"

#include "daemon/attachments/files.hpp"
#include "daemon/attachments/prepare.hpp"
#include "daemon/reader/document_file.hpp"
#include "daemon/reader/notice.hpp"
#include "protocol/limits.hpp"

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

void played_attachments::keep(feed::attachment which, attachments::private_file file) {
  parts_.push_back({0, which, file.path()});
  files_.push_back(std::move(file));
}

bool played_attachments::has(feed::attachment which) const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [which](const part& each) { return each.which == which; });
}

// The failure, or nothing.
std::string played_attachments::name(const attachments::wanted& named) {
  if (named.plan.empty() && !named.schemas.empty())
    return "--schemas needs --plan: of the schemas only those of the plan's types are kept";
  if (!named.plan.empty()) {
    const auto [text, failure] = reader::read_document(named.plan, limits::plan_document_bytes);
    if (!failure.empty()) return failure;
    const auto made = attachments::prepare_plan(text, named.schemas);
    if (!made) return named.plan + ": " + made.error().sentence;
    auto plan = attachments::private_file::of(made->plan);
    if (!plan) return plan.error();
    keep(feed::attachment::plan, std::move(*plan));
    if (!made->schemas.empty()) {
      auto schemas = attachments::private_file::of(made->schemas);
      if (!schemas) return schemas.error();
      keep(feed::attachment::schemas, std::move(*schemas));
    }
  }
  if (!named.config.empty()) {
    auto config = attachments::private_file::of(attachments::prepare_config(named.config, ""));
    if (!config) return config.error();
    keep(feed::attachment::config, std::move(*config));
  }
  return "";
}

boost::system::result<played_attachments, std::string> played_attachments::read(
    const attachments::wanted& named, const std::string& stream_path,
    const events::run_events& said) {
  played_attachments made;
  if (auto failure = made.name(named); !failure.empty()) return failure;
  for (const events::attachment& each : said.attachments) {
    const std::string path = attachments::beside_spool(without_gz(stream_path), each.part);
    if (made.has(each.part)) continue;
    if (::access(path.c_str(), R_OK) != 0) {
      reader::notice(path + " can't be read; the " + std::string{feed::name(each.part)} +
                     " that was attached is not shown");
      continue;
    }
    made.parts_.push_back({each.offset, each.part, path});
  }
  std::stable_sort(made.parts_.begin(), made.parts_.end(),
                   [](const part& a, const part& b) { return a.offset < b.offset; });
  return made;
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
    const std::string failure = documents_->add(each.which, each.path);
    if (failure.empty()) {
      some = true;
    } else {
      reader::notice(failure + "; the " + std::string{feed::name(each.which)} +
                     " that was attached is not shown");
    }
  }
  if (!some) return nullptr;
  return documents_;
}

}  // namespace tofud
