#include "protocol/plan/checks.hpp"

#include <utility>

namespace tofud::plan {
namespace {

using json::kind;
using json::value;

check_status status_of(value from) {
  const auto word = from["status"].string().value_or("");
  if (word == "pass") return check_status::pass;
  if (word == "fail") return check_status::fail;
  return word == "error" ? check_status::error : check_status::unknown;
}

result<std::string_view> address_of(value from, const std::string& path) {
  const auto shown = from["address"]["to_display"].string();
  if (!shown) return failure{error::no_string, path + ".address.to_display"};
  return *shown;
}

result<check_instance> read_instance(value from, const std::string& path) {
  const auto address = address_of(from, path);
  if (!address) return address.error();
  check_instance made{*address, status_of(from), {}};
  for (const value each : from["problems"]) {
    if (const auto message = each["message"].string()) made.problems.push_back(*message);
  }
  return made;
}

result<check> read_check(value from, const std::string& path) {
  const auto address = address_of(from, path);
  if (!address) return address.error();
  check made{from["address"]["kind"].string().value_or(""), *address, status_of(from), {}};
  std::size_t i = 0;
  for (const value each : from["instances"]) {
    auto instance = read_instance(each, path + ".instances[" + std::to_string(i++) + "]");
    if (!instance) return instance.error();
    made.instances.push_back(std::move(*instance));
  }
  return made;
}

}  // namespace

std::string_view name(check_status status) {
  switch (status) {
    case check_status::pass:
      return "pass";
    case check_status::fail:
      return "fail";
    case check_status::error:
      return "error";
    case check_status::unknown:
      break;
  }
  return "unknown";
}

result<std::vector<check>> read_checks(value from, const std::string& path) {
  std::vector<check> all;
  if (!from || from.is(kind::null)) return all;
  if (!from.is(kind::array)) return failure{error::no_array, path};
  std::size_t i = 0;
  for (const value each : from) {
    auto read = read_check(each, path + "[" + std::to_string(i++) + "]");
    if (!read) return read.error();
    all.push_back(std::move(*read));
  }
  return all;
}

}  // namespace tofud::plan
