#include "daemon/cli/redact.hpp"

#include "daemon/files/descriptor.hpp"
#include "daemon/files/limits.hpp"
#include "daemon/files/write_all.hpp"
#include "daemon/redaction/redaction.hpp"
#include "daemon/spool/notice.hpp"
#include "protocol/redact/stream_redactor.hpp"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace tofud::commands {
namespace {

struct redact_arguments {
  std::string mask, mask_file, file = "-";
  bool drop = false;
};

boost::system::result<redact::rules, std::string> rules_of(const redact_arguments& given) {
  if (!given.mask.empty()) return read_frozen_mask(given.mask);
  auto rules = rules_here(own_environment(), given.mask_file);
  if (rules && given.drop) rules->provisioners = redact::provisioner_output::drop;
  return rules;
}

int redact_stream(const redact_arguments& given) {
  const auto rules = rules_of(given);
  if (!rules) {
    reader::notice(rules.error());
    return 2;
  }
  const bool is_stdin = given.file == "-";
  const reader::descriptor opened{is_stdin ? ::dup(STDIN_FILENO)
                                           : ::open(given.file.c_str(), O_RDONLY | O_CLOEXEC)};
  const auto unreadable = [&given, is_stdin](int error) {
    reader::notice((is_stdin ? "standard input" : given.file) +
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
      reader::notice(std::string{"standard output takes no more: "} + std::strerror(errno));
      return 1;
    }
    if (count == 0) return 0;
    out.clear();
  }
}

}  // namespace

command add_redact(CLI::App& line) {
  auto given = std::make_shared<redact_arguments>();
  CLI::App* words = line.add_subcommand(
      "redact", "Print a stream as it would leave this machine: secrets masked, states left out");
  auto* mask = words
                   ->add_option("--mask", given->mask,
                                "Rules that were frozen beside a kept stream, ID.mask")
                   ->type_name("FILE");
  words
      ->add_option("--mask-file", given->mask_file,
                   "Values to mask, one a line, beside those in the environment")
      ->type_name("FILE")
      ->envname("TOFUD_MASK_FILE");
  auto* drop = words->add_flag("--drop-provisioner-output", given->drop,
                               "Leave out what provisioners print");
  // What is frozen says all of it; a mask file that only the environment names is none of its own.
  drop->excludes(mask);
  words->add_option("FILE", given->file, "The stream; - or nothing: standard input");
  words->footer("For example: tofu plan -json | tofud redact --mask-file secrets.txt");
  return {words, [given] {
            // A reader that has gone (`| head`) ends this as it ends any filter.
            std::signal(SIGPIPE, SIG_DFL);
            return redact_stream(*given);
          }};
}

}  // namespace tofud::commands
