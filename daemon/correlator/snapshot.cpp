#include "daemon/correlator/snapshot.hpp"

#include "daemon/correlator/errors.hpp"
#include "daemon/correlator/state_archive.hpp"
#include "protocol/text/sha256.hpp"

namespace tofud::correlator {
namespace {

constexpr std::size_t sum_digits = 64;

}  // namespace

std::string snapshot_of(const stream_fold& fold, std::string_view build) {
  std::string made;
  state_writer to{made};
  to.put(build);
  to.put(fold.runs().front().id());
  to.put(fold.attached().size());
  fold.save(to);
  return made + text::sha256_hex(made);
}

text::failure restore(stream_fold& into, std::string_view snapshot, std::string_view build,
                      std::span<const run_attachments> attached) {
  if (snapshot.size() < sum_digits) return error::torn_snapshot;
  const auto bytes = snapshot.substr(0, snapshot.size() - sum_digits);
  if (text::sha256_hex(bytes) != snapshot.substr(bytes.size())) return error::torn_snapshot;
  state_reader from{bytes, {}};
  std::string made_by, id;
  std::size_t places = 0;
  from.get(made_by);
  if (made_by != build) return {error::other_build, made_by, build};
  from.get(id);
  if (id != into.runs().front().id()) return {error::other_stream, id, into.runs().front().id()};
  from.get(places);
  if (places != attached.size()) return {error::other_attachments, places, attached.size()};
  into.load(from, attached);
  if (from.failed() || !from.at_end()) return error::torn_snapshot;
  return {};
}

}  // namespace tofud::correlator
