// What is attached to a stream that is played again: files that somebody named, or those that were
// kept beside it.
#pragma once

#include "daemon/attachments/documents.hpp"
#include "daemon/attachments/wanted.hpp"
#include "daemon/files/memory_file.hpp"
#include "protocol/events/run_events.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tofud {

/// Remembers where each part takes effect and which do already.
class played_attachments {
 public:
  /// Nothing is attached.
  played_attachments() = default;

  /// Prepares what was named, which takes effect at the start; of the other parts those that `said`
  /// has and that lie beside the stream. The failure, a sentence that names no value, is about what
  /// was named; for what was kept there is a notice and the stream is played without.
  static boost::system::result<played_attachments, std::string> read(
      const attachments::wanted& named, const std::string& stream_path,
      const events::run_events& said);

  /// Of the parts that `said` has those that are not here yet and lie beside the stream.
  void add_kept(const std::string& stream_path, const events::run_events& said);

  /// The documents with what takes effect at `offset` or before; null: nothing more does.
  std::shared_ptr<const attachments::documents> due(std::uint64_t offset);
  /// Where the next part takes effect; beyond any stream if there is none.
  std::uint64_t next() const;
  /// What is in effect already; null: nothing is.
  std::shared_ptr<const attachments::documents> in_effect() const;

 private:
  struct part {
    std::uint64_t offset = 0;
    feed::attachment which = feed::attachment::plan;
    std::string path;  // empty: it can't be read
  };
  // Each gives the failure, or nothing.
  std::string name(const attachments::wanted& named, const std::string& stream_path);
  std::string name_plan(const attachments::wanted& named);
  std::string name_specifications(const attachments::wanted& named, const std::string& kept);
  std::string keep(feed::attachment which, std::string_view text);
  bool has(feed::attachment which) const;

  std::deque<files::memory_file> files_;
  std::vector<part> parts_;  // by offset
  std::string hidden_;       // file of the kept plan's hidden values; empty: it has none
  std::size_t taken_ = 0;
  std::shared_ptr<attachments::documents> documents_ = std::make_shared<attachments::documents>();
};

}  // namespace tofud
