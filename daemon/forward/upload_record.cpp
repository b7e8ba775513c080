#include "daemon/forward/upload_record.hpp"

#include "daemon/access/secret.hpp"
#include "daemon/files/private_file.hpp"
#include "protocol/json/members.hpp"
#include "protocol/text/hex.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <cerrno>
#include <system_error>

namespace tofud::forward {
namespace {

constexpr int version = 1;
constexpr std::string_view word_never = "never", asked = "asked";

}  // namespace

upload_record new_upload() {
  constexpr std::size_t id_bytes = 16, secret_bytes = 32;
  upload_record record;
  record.upload_id = access::random_hex(id_bytes);
  record.upload_secret = access::random_hex(secret_bytes);
  return record;
}

std::string to_text(const upload_record& record) {
  boost::json::object all;
  all["version"] = version;
  all["server"] = record.server;
  all["upload_id"] = record.upload_id;
  all["upload_secret"] = record.upload_secret;
  all["rules"] = record.rules;
  all["started_at"] = record.started_at;
  all["run"] = record.run;
  all["url"] = record.url;
  all["complete"] = record.complete;
  all["stopped"] = nullptr;
  if (record.stopped) {
    all["stopped"] = {
        {"reason", record.stopped->reason},
        {"sentence", record.stopped->sentence},
        {"until", record.stopped->again == upload_stop::until::never ? word_never : asked}};
  }
  return boost::json::serialize(all) + "\n";
}

std::optional<upload_record> parse_record(std::string_view text) {
  boost::json::error_code failed;
  const auto document =
      boost::json::parse(boost::json::string_view{text.data(), text.size()}, failed);
  if (failed || !document.is_object()) return std::nullopt;
  const auto& all = document.get_object();
  upload_record record;
  record.server = json::text_at(all, "server");
  record.upload_id = json::text_at(all, "upload_id");
  record.upload_secret = json::text_at(all, "upload_secret");
  record.rules = json::text_at(all, "rules");
  record.started_at = json::text_at(all, "started_at");
  record.run = json::text_at(all, "run");
  record.url = json::text_at(all, "url");
  const auto* complete = all.if_contains("complete");
  record.complete = complete != nullptr && complete->is_bool() && complete->get_bool();
  if (const auto* stopped = all.if_contains("stopped");
      stopped != nullptr && stopped->is_object()) {
    const auto& why = stopped->get_object();
    record.stopped =
        upload_stop{json::text_at(why, "until") == word_never ? upload_stop::until::never
                                                              : upload_stop::until::asked,
                    json::text_at(why, "reason"), json::text_at(why, "sentence")};
  }
  if (record.upload_id.empty() || record.upload_secret.empty()) return std::nullopt;
  return record;
}

std::optional<upload_record> load_record(const std::string& path) {
  const auto text = files::read_private(path);
  return text ? parse_record(*text) : std::nullopt;
}

text::failure save_record(const std::string& path, const upload_record& record) {
  return files::write_private(path, to_text(record));
}

}  // namespace tofud::forward
