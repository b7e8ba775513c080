#include "daemon/serve/opened_files.hpp"

#include "daemon/operations/log_format.hpp"
#include "daemon/redaction/redaction.hpp"
#include "daemon/spool/spool_place.hpp"

#include <spdlog/spdlog.h>

#include <cstdlib>
#include <unistd.h>
#include <utility>

namespace tofud::serve {

operations::log_options log_options_of(const daemon_options& options) {
  operations::log_options log;
  log.format = options.log_format.value_or(
      operations::format_for(std::getenv("JOURNAL_STREAM"), STDERR_FILENO));
  log.level = options.log_level;
  log.redact = redaction::of_texts(options.rules);
  return log;
}

text::result<opened_files> open_files(const daemon_options& options) {
  opened_files files;
  if (!options.tls.certificate.empty()) {
    auto read = net::tls_context::open(options.tls);
    if (!read) return read.error();
    files.tls = std::move(*read);
    for (const std::string& warning : files.tls->warnings()) spdlog::warn("{}", warning);
  }
  auto providers = oidc::issuers::prepare(options.providers);
  if (!providers) return providers.error();
  files.providers = std::move(*providers);
  auto told = notify::ready(options.told);
  if (!told) return told.error();
  files.told = std::move(*told);
  if (!options.archive.to.empty()) {
    auto opened = archive::open_place(options.archive, journal::real_disk());
    if (!opened) return opened.error();
    files.archive = std::move(*opened);
  }
  auto telemetry = telemetry::destination_by(options.telemetry, spool::process_environment());
  if (!telemetry) return telemetry.error();
  files.telemetry = std::move(*telemetry);
  if (!options.audit_file.empty()) {
    auto opened =
        operations::audit_log::open(options.audit_file, redaction::of_texts(options.rules));
    if (!opened) return opened.error();
    files.audit = std::move(*opened);
  }
  return files;
}

}  // namespace tofud::serve
