#include "daemon/local/view_document.hpp"

#include "daemon/local/errors.hpp"

#include <boost/describe.hpp>
#include <boost/json.hpp>

#include <chrono>
#include <exception>

namespace tofud::terminal {
BOOST_DESCRIBE_ENUM(progress_flag, automatic, tty, plain, github, gitlab, json, none)
BOOST_DESCRIBE_ENUM(colour_flag, automatic, always, never)
}  // namespace tofud::terminal

namespace tofud::feed {
BOOST_DESCRIBE_ENUM(run_command, other, plan, apply, destroy, refresh, test, init, import)
BOOST_DESCRIBE_STRUCT(label, (), (key, value))
}  // namespace tofud::feed

namespace tofud::events {
BOOST_DESCRIBE_ENUM(plan_role, out, argument)
BOOST_DESCRIBE_STRUCT(plan_file, (), (role, sha256, bytes))
}  // namespace tofud::events

namespace tofud::attachments {
BOOST_DESCRIBE_STRUCT(wanted::saved, (), (plan, program, directory, chdir, cache))
BOOST_DESCRIBE_STRUCT(wanted, (),
                      (spool, plan, schemas, own_schemas, config, data_directory, found))
}  // namespace tofud::attachments

namespace tofud {
BOOST_DESCRIBE_STRUCT(listening, (), (wanted, address, tick))
BOOST_DESCRIBE_STRUCT(wrapped_command, (),
                      (command, may_ask, replaces_text, tells_plan, coloured, quiet, draws,
                       passes_on))
BOOST_DESCRIBE_STRUCT(view_options, (),
                      (listen, progress, colour, heartbeat, score, stack, labels, commit, plan_out,
                       plan_argument, directory, parallelism, looks_for_drift, plan_hash, variables,
                       wrapped, mask_file, server, no_server, token_file, report, junit, attach))

std::string to_document(const view_options& view) {
  return boost::json::serialize(boost::json::value_from(view));
}

text::result<view_options> read_view_document(std::string_view text) {
  if (text.empty()) return view_options{};
  try {
    const auto document = boost::json::parse(boost::json::string_view{text.data(), text.size()});
    return boost::json::value_to<view_options>(document);
  } catch (const std::exception& e) {
    return text::failure{local::error::bad_document, e.what()};
  }
}

}  // namespace tofud
