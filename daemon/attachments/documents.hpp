// What is attached to one stream, as it lies on disk: read once for the rows, and again for each
// diff that somebody asks for.
#pragma once

#include "protocol/attachments/config_facts.hpp"
#include "protocol/attachments/plan_facts.hpp"
#include "protocol/diff/rows.hpp"
#include "protocol/feed/row.hpp"
#include "protocol/order/plan_knowledge.hpp"
#include "protocol/redact/finder.hpp"
#include "protocol/schema/schema.hpp"
#include "protocol/text/failure.hpp"

#include <boost/system/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::attachments {

/// Remembers facts and where in its file each resource's change stands, not the texts. The files
/// are ours, masked, and stay as they are as long as this is used. A copy stays as it is whatever
/// is added to the original, so that another thread may draw what is in it.
class documents {
  struct state;

 public:
  documents();
  ~documents();
  documents(const documents&) = default;
  documents& operator=(const documents&) = default;

  /// Another number each time something is added, to any documents: names what can be drawn.
  std::uint64_t version() const;

  /// One part as it was read from its file, by any thread.
  class read_part {
   public:
    feed::attachment part() const { return part_; }

   private:
    friend class documents;
    feed::attachment part_{};
    std::shared_ptr<const state> read_;
  };
  static text::result<read_part> read(feed::attachment part, const std::string& path);
  /// A part that is there already is replaced.
  void add(const read_part& part);
  /// Both at once.
  text::failure add(feed::attachment part, const std::string& path);

  /// Values that are hidden in the run's texts from here on; null: none.
  void hide(std::shared_ptr<const redact::ready_rules> values);

  bool has(feed::attachment part) const;
  /// About how many bytes of memory the facts take: as many as the files they were read from have.
  std::size_t memory() const;
  /// Of the file that it was read from; 0: none is attached.
  std::size_t bytes(feed::attachment part) const;
  /// Null: none is attached.
  std::shared_ptr<const plan_facts> plan() const;
  /// What the plan tells of the order of its apply.
  std::shared_ptr<const order::plan_knowledge> order() const;
  std::shared_ptr<const config_facts> config() const;
  std::shared_ptr<const schema::schemas> schemas() const;
  std::shared_ptr<const redact::ready_rules> hidden() const;

  /// Rows as `tofud show --json` prints them, one for each entry of the plan's drift and changes
  /// about the address; empty: it has none.
  text::result<std::vector<std::string>> diff(std::string_view address,
                                              const diff::rows_part& part) const;
  /// All of them, with outputs and the summary, a piece at a time: appends, and tells whether there
  /// is more. It goes on by itself when this is gone. `by` as in add_markdown.
  std::function<bool(std::string& out)> all_rows(
      const std::shared_ptr<const redact::ready_rules>& by = nullptr) const;
  /// Appends the plan as a comment of at most `room` bytes (diff::draw_markdown). `by` (null: what
  /// lies here may be shown) masks what leaves this machine.
  text::failure add_markdown(std::string& out, std::size_t room,
                             const std::shared_ptr<const redact::ready_rules>& by = nullptr) const;

 private:
  state& changed();
  std::shared_ptr<const state> state_;
};

}  // namespace tofud::attachments
