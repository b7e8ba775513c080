// What is attached to a stream that is kept: files that somebody named, or those that lie beside
// it.
#pragma once

#include "daemon/attachments/documents.hpp"
#include "daemon/attachments/wanted.hpp"
#include "daemon/files/memory_file.hpp"
#include "daemon/pipeline/engine.hpp"
#include "protocol/events/known_run.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::pipeline {

/// Remembers what it has told of.
class attached_parts {
 public:
  /// Nothing is attached.
  attached_parts() = default;
  /// What lies beside that stream.
  explicit attached_parts(const std::string& stream_path);

  /// Prepares what was named, which takes effect at the start and in place of what lies beside the
  /// stream. The failure, a sentence that names no value, is about what was named. `stream_path`
  /// empty: nothing lies anywhere.
  static text::result<attached_parts> named(const attachments::wanted& named,
                                            const std::string& stream_path);

  /// The events that were not given before, for the engine.
  std::vector<events::event> news(const events::known_run& said);

  enum class trouble : bool { told, not_told };
  /// For the engine; valid as long as this. `told`: what can't be read is said in a notice.
  part_reader reader(trouble what = trouble::told) const;

 private:
  struct part {
    std::string path;  // of the named document; empty: the one beside the stream
    bool told = false;
  };
  part& of(feed::attachment which) { return parts_.at(static_cast<std::size_t>(which)); }
  const part& of(feed::attachment which) const {
    return parts_.at(static_cast<std::size_t>(which));
  }
  // Each gives the failure, or nothing.
  text::failure name(const attachments::wanted& named);
  text::failure name_plan(const attachments::wanted& named);
  text::failure name_specifications(const attachments::wanted& named);
  text::failure keep(feed::attachment which, std::string_view text);
  text::failure add(const events::attachment& which, attachments::documents& known,
                    std::string& remark) const;

  std::string stream_path_;  // empty: nothing lies beside it
  std::deque<files::memory_file> files_;
  std::array<part, 3> parts_;
  std::shared_ptr<const redact::ready_rules> hidden_;  // of the named plan
};

}  // namespace tofud::pipeline
