#include "daemon/attaching.hpp"

#include "daemon/attachments/files.hpp"
#include "daemon/attachments/prepare.hpp"
#include "daemon/attachments/private_file.hpp"
#include "daemon/attachments/program_output.hpp"
#include "daemon/forward/private_file.hpp"
#include "daemon/reader/document_file.hpp"
#include "daemon/reader/gzip.hpp"
#include "daemon/schema_cache.hpp"
#include "daemon/wrapper/tofu_version.hpp"
#include "protocol/limits.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace tofud {
namespace {

namespace fs = std::filesystem;
using attachments::plan_and_schemas;
using attachments::wanted;
using feed::attachment;

constexpr const char* lock_file = ".terraform.lock.hcl";
/// Of terraform_data and terraform_remote_state.
constexpr std::string_view builtin_provider = "terraform.io/builtin/terraform";

class attaching {
 public:
  attaching(const wanted& what, std::chrono::steady_clock::time_point until,
            const attaching_listeners& told)
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
    if (what_.plan.empty() && what_.found.plan.empty()) {
      if (!what_.schemas.empty())
        told_.failed("the schemas are not attached: they are of use with a plan only");
      return;
    }
    auto [text, failure] = what_.plan.empty() ? saved_plan() : given_plan();
    if (!failure.empty()) return told_.failed("the plan is not attached: " + failure);
    auto made = with_schemas(text);
    if (!made) {
      auto alone = attachments::prepare_plan(text, "");
      if (!alone) return told_.failed("the plan is not attached: " + alone.error().sentence);
      made = std::move(*alone);
    }
    if (write(attachment::plan, made->plan) && !made->schemas.empty())
      write(attachment::schemas, made->schemas);
  }

 private:
  bool write(attachment part, std::string_view text) {
    const std::string failure =
        forward::write_private(attachments::beside_spool(what_.spool, part), text);
    if (!failure.empty()) {
      told_.failed(failure);
      return false;
    }
    told_.done(part);
    return true;
  }

  reader::document_text given_plan() const {
    // One that is too long is not read to find that out.
    std::error_code failed;
    const auto bytes = fs::file_size(what_.plan, failed);
    if (!failed && bytes > limits::plan_document_bytes) return {"", what_.plan + too_long()};
    return reader::read_document(what_.plan, limits::plan_document_bytes);
  }

  static std::string too_long() {
    return " has more than " + std::to_string(limits::plan_document_bytes / limits::mib) + " MiB";
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

  reader::document_text saved_plan() const {
    reader::document_text made;
    const std::string failure = run({"show", "-json", "-no-color", what_.found.plan},
                                    [&](std::string_view bytes) { made.text.append(bytes); });
    if (!failure.empty()) return {"", "`" + name() + " show -json` " + failure};
    return made;
  }

  /// Nothing: there are no schemas, or none that can be used with the plan; that was said.
  std::optional<plan_and_schemas> with_schemas(std::string_view plan) {
    if (!what_.schemas.empty()) {
      auto made = attachments::prepare_plan(plan, what_.schemas);
      if (made) return std::move(*made);
      no_schemas(made.error().sentence);
      return std::nullopt;
    }
    if (what_.found.plan.empty()) return std::nullopt;
    const std::optional<std::string> key = cache_key(plan);
    const auto kept = key ? cache_.find(*key) : std::nullopt;
    if (kept) {
      auto made = attachments::prepare_plan(plan, *kept);
      if (made) return std::move(*made);
      cache_.drop(*key);  // damaged; or it is the plan, and then the next one fails, too
    }
    return with_fresh_schemas(plan, key);
  }

  std::optional<plan_and_schemas> with_fresh_schemas(std::string_view plan,
                                                     const std::optional<std::string>& key) {
    reader::gzip packing;
    const std::string failure = run({"providers", "schema", "-json", "-no-color"},
                                    [&](std::string_view bytes) { packing.feed(bytes); });
    const std::string printed = "`" + name() + " providers schema -json`";
    if (!failure.empty()) {
      no_schemas(printed + " " + failure);
      return std::nullopt;
    }
    const std::string packed = packing.end();
    const auto file = attachments::private_file::of(packed);
    if (!file || packed.empty()) {
      no_schemas("there is not enough memory");
      return std::nullopt;
    }
    auto made = attachments::prepare_plan(plan, file->path());
    if (!made) {
      no_schemas("what " + printed + " printed can't be used");
      return std::nullopt;
    }
    if (key) cache_.keep(*key, packed);
    return std::move(*made);
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
    const auto [text, failure] = reader::read_document(lock, limits::module_file_bytes);
    if (!failure.empty()) return std::nullopt;
    const auto version = wrapper::ask_version(what_.found.program, what_.found.chdir);
    if (!version) return std::nullopt;
    return schemas_key(text, *version, plan.find(builtin_provider) != std::string_view::npos);
  }

  void no_schemas(const std::string& why) const {
    told_.failed("the plan's schemas are not attached: " + why);
  }

  std::string name() const { return fs::path{what_.found.program}.filename().string(); }

  const wanted& what_;
  std::chrono::steady_clock::time_point until_;
  const attaching_listeners& told_;
  schema_cache cache_{what_.found.cache};
};

}  // namespace

void attach(const attachments::wanted& what, std::chrono::steady_clock::time_point until,
            const attaching_listeners& told) {
  attaching all{what, until, told};
  all.make_config();
  all.make_plan();
}

}  // namespace tofud
