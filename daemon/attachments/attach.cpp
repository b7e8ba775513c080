#include "daemon/attachments/attach.hpp"

#include "daemon/attachments/errors.hpp"
#include "daemon/attachments/files.hpp"
#include "daemon/attachments/hidden_file.hpp"
#include "daemon/attachments/limits.hpp"
#include "daemon/attachments/prepare.hpp"
#include "daemon/attachments/program_output.hpp"
#include "daemon/attachments/schema_cache.hpp"
#include "daemon/attachments/schema_files.hpp"
#include "daemon/files/document_file.hpp"
#include "daemon/files/gzip.hpp"
#include "daemon/files/memory_file.hpp"
#include "daemon/files/private_file.hpp"
#include "daemon/stack/tofu_version.hpp"
#include "protocol/text/sizes.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace tofud::attachments {
namespace {

namespace fs = std::filesystem;
using attachments::plan_and_schemas;
using attachments::wanted;
using feed::attachment;

constexpr const char* lock_file = ".terraform.lock.hcl";
/// Of terraform_data and terraform_remote_state.
constexpr std::string_view builtin_provider = "terraform.io/builtin/terraform";

class attachment_maker {
 public:
  attachment_maker(const wanted& what, std::chrono::steady_clock::time_point until,
                   const attachment_listeners& told)
      : what_{what}, until_{until}, told_{told} {}

  void make_config() {
    if (what_.config.empty()) return;
    std::error_code failed;
    if (!fs::is_directory(what_.config, failed)) {
      return told_.failed("the configuration is not attached: there is no directory " +
                          what_.config);
    }
    const std::string made = attachments::prepare_config(what_.config, what_.data_directory);
    if (made.size() > limits::attached_config_bytes) {
      return told_.failed("the configuration is not attached: its blocks take more than " +
                          std::to_string(limits::attached_config_bytes / limits::mib) + " MiB");
    }
    write(attachment::config, made);
  }

  void make_plan() {
    if (what_.plan.empty() && what_.found.plan.empty()) return make_specifications();
    const auto text = what_.plan.empty() ? saved_plan() : given_plan();
    if (!text) {
      told_.failed("the plan is not attached: " + text.error().text());
      return make_specifications();
    }
    auto made = with_schemas(*text);
    if (!made) return told_.failed("the plan is not attached: " + made.error().text());
    if (!hide(made->hidden)) return;
    if (write(attachment::plan, made->plan) && !made->schemas.empty())
      write(attachment::schemas, made->schemas);
  }

 private:
  bool write(attachment part, std::string_view text) {
    const auto failure = files::write_private(attachments::beside_spool(what_.spool, part), text);
    if (!failure.empty()) {
      told_.failed(failure.text());
      return false;
    }
    told_.done(part);
    return true;
  }

  text::result<std::string> given_plan() const {
    // One that is too long is not read to find that out.
    std::error_code failed;
    const auto bytes = fs::file_size(what_.plan, failed);
    if (!failed && bytes > limits::plan_document_bytes) {
      return text::failure{error::large_plan, what_.plan,
                           limits::plan_document_bytes / limits::mib};
    }
    return files::read_document(what_.plan, limits::plan_document_bytes);
  }

  std::vector<std::string> program(std::vector<std::string> words) const {
    if (!what_.found.chdir.empty()) words.insert(words.begin(), "-chdir=" + what_.found.chdir);
    words.insert(words.begin(), what_.found.program);
    return words;
  }

  std::string run(std::vector<std::string> words,
                  const std::function<void(std::string_view)>& take) const {
    return attachments::run_program(
        {program(std::move(words)), until_, limits::plan_document_bytes}, take);
  }

  text::result<std::string> saved_plan() const {
    std::string made;
    const std::string failure = run({"show", "-json", "-no-color", what_.found.plan},
                                    [&](std::string_view bytes) { made.append(bytes); });
    if (!failure.empty()) return text::failure{error::not_shown, name(), failure};
    return {boost::system::in_place_value, std::move(made)};
  }

  plan::result<plan_and_schemas> with_schemas(std::string_view plan) {
    if (named_schemas().empty() && what_.found.plan.empty()) return attachments::prepare_plan(plan);
    auto made = attachments::prepare_plan(
        plan, [&](const auto& types) { return schemas_for(types, plan); });
    if (made) return made;
    auto alone = attachments::prepare_plan(plan);
    if (alone && !made.error().empty()) no_schemas(made.error().text());
    return alone;
  }

  std::vector<std::string> named_schemas() const {
    std::vector<std::string> all = what_.schemas;
    if (!what_.own_schemas.empty()) all.push_back(what_.own_schemas);
    return all;
  }

  /// What was wrong with the files is said. The failure is empty where all of it was said.
  plan::result<schema::schemas> schemas_for(const schema::schemas_scanner::wanted& types,
                                            std::string_view plan) {
    std::vector<std::string> paths = named_schemas();
    schema_files named = read_schema_files(paths, types);
    for (const text::failure& each : named.wrong) {
      if (named.any_provider || named.any_specification)
        told_.failed("not all schemas are attached: " + each.text());
      else
        no_schemas(each.text());
    }
    if (named.any_provider || what_.found.plan.empty()) return found(std::move(named));
    const std::string printed = printed_schemas(types, plan);
    if (printed.empty()) return found(std::move(named));
    paths.insert(paths.begin(), printed);
    return found(read_schema_files(paths, types));
  }

  static plan::result<schema::schemas> found(schema_files files) {
    if (!files.any_provider && !files.any_specification) return text::failure{};
    return {boost::system::in_place_value, std::move(files.all)};
  }

  /// A file of what the program prints of its providers' schemas; empty: there is none, which was
  /// said.
  std::string printed_schemas(const schema::schemas_scanner::wanted& types, std::string_view plan) {
    const std::optional<std::string> key = cache_key(plan);
    const auto kept = key ? cache_.find(*key) : std::nullopt;
    if (kept) {
      if (read_schema_files({*kept}, types).wrong.empty()) return *kept;
      cache_.drop(*key);  // damaged
    }
    return fresh_schemas(types, key);
  }

  std::string fresh_schemas(const schema::schemas_scanner::wanted& types,
                            const std::optional<std::string>& key) {
    files::gzip packing;
    const std::string failure = run({"providers", "schema", "-json", "-no-color"},
                                    [&](std::string_view bytes) { packing.feed(bytes); });
    const std::string printed = "`" + name() + " providers schema -json`";
    if (!failure.empty()) {
      no_schemas(printed + " " + failure);
      return "";
    }
    const std::string packed = packing.end();
    auto file = files::memory_file::of(packed);
    if (!file || packed.empty()) {
      no_schemas("there is not enough memory");
      return "";
    }
    fresh_.emplace(std::move(*file));
    if (!read_schema_files({fresh_->path()}, types).wrong.empty()) {
      no_schemas("what " + printed + " printed can't be used");
      return "";
    }
    if (key) cache_.keep(*key, packed);
    return fresh_->path();
  }

  /// Without a plan schemas of providers say nothing: which of their types matter is not known.
  void make_specifications() {
    if (named_schemas().empty()) return;
    const schema_files named =
        read_schema_files(named_schemas(), [](const schema::place&) { return false; });
    for (const text::failure& each : named.wrong)
      told_.failed("not all schemas are attached: " + each.text());
    if (!named.any_specification && named.any_provider)
      told_.failed("the schemas are not attached: schemas need a plan");
    if (!named.any_specification) return;
    const auto made = attachments::kept_schemas(named.all);
    if (!made) return told_.failed("the schemas are not attached: " + made.error().text());
    write(attachment::schemas, *made);
  }

  /// Before the plan takes effect. False: it can't be written, which was said.
  bool hide(const redact::hidden_values& values) {
    if (values.left_out > 0) {
      told_.failed("the plan has too many sensitive values: the " +
                   std::to_string(values.left_out) + " longest are not redacted in printed text");
    }
    if (values.texts.empty()) return true;
    const auto failure = files::write_private(attachments::hidden_beside_spool(what_.spool),
                                              attachments::hidden_file(values));
    if (!failure.empty()) told_.failed(failure.text());
    return failure.empty();
  }

  /// Nothing: they are not to be kept, since without a lock file, or with providers that somebody
  /// is just working on, others may come the next time.
  std::optional<std::string> cache_key(std::string_view plan) const {
    const auto variable = [](const char* name) -> std::optional<std::string> {
      const char* value = std::getenv(name);
      return value == nullptr ? std::nullopt : std::optional<std::string>{value};
    };
    if (what_.found.cache.empty() || develops_providers(variable)) return std::nullopt;
    const fs::path lock = fs::path{what_.found.directory} / what_.found.chdir / lock_file;
    const auto text = files::read_document(lock, limits::module_file_bytes);
    if (!text) return std::nullopt;
    const auto version = stack::ask_version(what_.found.program, what_.found.chdir);
    if (!version) return std::nullopt;
    return schemas_key(*text, *version, plan.find(builtin_provider) != std::string_view::npos);
  }

  void no_schemas(const std::string& why) const {
    told_.failed("the plan's schemas are not attached: " + why);
  }

  std::string name() const { return fs::path{what_.found.program}.filename().string(); }

  const wanted& what_;
  std::chrono::steady_clock::time_point until_;
  const attachment_listeners& told_;
  schema_cache cache_{what_.found.cache};
  std::optional<files::memory_file> fresh_;  // what the program has just printed
};

}  // namespace

void attach(const attachments::wanted& what, std::chrono::steady_clock::time_point until,
            const attachment_listeners& told) {
  attachment_maker all{what, until, told};
  all.make_config();
  all.make_plan();
}

}  // namespace tofud::attachments
