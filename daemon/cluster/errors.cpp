#include "daemon/cluster/errors.hpp"

namespace tofud::cluster {

std::string_view sentence(error what) {
  constexpr auto sentences = text::catalogue<error>({
      {error::built_without,
       "this tofud was built without libnats, which the configuration's [cluster] needs; install "
       "libnats-dev and build it again, or remove [cluster]"},
      {error::no_library,
       "libnats can't be loaded, which the configuration's [cluster] needs: {}; install the "
       "package libnats{}"},
      {error::other_library,
       "libnats is of version {}, and this tofud was built for version {}; install the package "
       "libnats{}"},
      {error::bad_option, "the configuration's [cluster]: {}: {}"},
      {error::not_connected, "NATS can't be reached: {}"},
      {error::no_answer, "NATS has not answered within {} ms"},
      {error::no_jetstream,
       "the NATS server has no JetStream; start it with `-js`, or with `jetstream {}` in its "
       "configuration"},
      {error::refused, "NATS refuses to {}: {}"},
      {error::foreign_stream,
       "NATS has a stream {} that is not of this cluster: its {} is {}, not {}; choose another "
       "cluster.name, or remove that stream"},
      {error::foreign_subjects,
       "NATS has another stream with the subjects of {}: {}; choose another cluster.name, or "
       "remove that stream"},
      {error::small_messages,
       "the NATS server takes messages of {} bytes only, tofud needs {}; set its max_payload"},
      {error::other_writer, "another daemon takes this run in now"},
      {error::full,
       "the stream {} in NATS takes nothing more: {}; if it is full, raise its limit "
       "(cluster.bytes), or keep fewer runs (retain.days, retain.runs)"},
      {error::bad_record, "message {} of {} is no record of a run ({}); it is passed over"},
      {error::bad_server,
       "{} is no address of a NATS server; write nats://HOST:PORT or "
       "tls://HOST:PORT, without a user or password"},
      {error::gap, "run {}: in NATS, bytes {} to {} are missing; what follows them is not shown"},
      {error::made_elsewhere, "another daemon has begun this run"},
      {error::diverged,
       "run {}: NATS has other bytes than this machine from byte {} on; what NATS has is shown"},
      {error::busy, "another request is adding to the run"},
      {error::ended,
       "another daemon has ended this run, which it could not hear of any more; what came since is "
       "on this machine only"},
      {error::no_document, "run {}: its document {} can't be read: {}"},
      {error::wrong_clock,
       "the clock of this machine is {} {} that of NATS: times of runs and the ends of tokens and "
       "sessions are off by as much; set both by NTP"},
      {error::right_clock, "the clock of this machine agrees with that of NATS again"},
  });
  return sentences[what];
}

}  // namespace tofud::cluster
