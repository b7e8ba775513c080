#include "daemon/cli/redact.hpp"

#include "daemon/files/descriptor.hpp"
#include "daemon/files/limits.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/redaction/redaction.hpp"
#include "daemon/spool/notice.hpp"
#include "protocol/redact/stream_redactor.hpp"
#include "protocol/text/failure.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace tofud::cli {
namespace {

struct redact_arguments {
  std::string mask, mask_file, file = "-";
  bool drop = false;
};

text::result<redact::rules> rules_of(const redact_arguments& given) {
  if (!given.mask.empty()) return redaction::read_frozen_mask(given.mask);
  auto rules = redaction::rules_here(redaction::own_environment(), given.mask_file);
  if (rules && given.drop) rules->provisioners = redact::provisioner_output::drop;
  return rules;
}

int redact_stream(const redact_arguments& given) {
  const auto rules = rules_of(given);
  if (!rules) {
    spool::notice(rules.error().text());
    return 2;
  }
  const bool is_stdin = given.file == "-";
  const files::descriptor opened{is_stdin ? ::dup(STDIN_FILENO)
                                          : ::open(given.file.c_str(), O_RDONLY | O_CLOEXEC)};
  const auto unreadable = [&given, is_stdin](int error) {
    spool::notice((is_stdin ? "standard input" : given.file) +
                  " can't be read: " + std::strerror(error));
    return 1;
  };
  if (!opened) return unreadable(errno);
  redact::stream_redactor redactor{*rules};
  std::vector<char> room(limits::read_bytes);
  std::string out;
  for (;;) {
    const auto count = ::read(opened.get(), room.data(), room.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(errno);
    if (count == 0) {
      redactor.finish(out);
    } else {
      redactor.feed({room.data(), static_cast<std::size_t>(count)}, out);
    }
    if (!files::write_all(STDOUT_FILENO, out)) {
      spool::notice(std::string{"can't write to standard output: "} + std::strerror(errno));
      return 1;
    }
    if (count == 0) return 0;
    out.clear();
  }
}

}  // namespace

void add_redact(command& line) {
  auto given = std::make_shared<redact_arguments>();
  command& words = line.add_command(
      "redact", "Print a stream as it leaves this machine: secrets redacted, states left out");
  option& mask = words
                     .add_option("--mask", given->mask,
                                 "Redaction rules saved beside a stored stream (ID.mask)")
                     .value("FILE");
  words
      .add_option("--mask-file", given->mask_file,
                  "File with more values to redact, one on each line")
      .value("FILE")
      .variable("TOFUD_MASK_FILE");
  option& drop =
      words.add_flag("--drop-provisioner-output", given->drop, "Drop provisioner output");
  // What is frozen says all of it; a mask file that only the environment names is none of its own.
  drop.excludes(mask);
  words.add_option("FILE", given->file, "The stream; - or nothing means standard input");
  words.footer("For example: tofu plan -json | tofud redact --mask-file secrets.txt");
  words.run = [given] {
    ends_with_its_reader();
    return redact_stream(*given);
  };
}

}  // namespace tofud::cli
