// The recorded scenarios with their configurations and streams.
#pragma once

#include <boost/json/value.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tofud::test {

/// A scenario's folder, and in it those with configurations (`config`, `config-before`, …).
struct scenario {
  std::string name;
  std::filesystem::path folder;
  std::vector<std::string> configurations;  // the one that counts first
};

std::vector<scenario> recorded_scenarios();

/// Files of a scenario whose names end so, those with `.gz` behind it included, as plain bytes.
struct recorded_file {
  std::string name;  // without `.gz`
  std::string bytes;
};
std::vector<recorded_file> files_of(const scenario& of, std::string_view ending);

/// The lines of a stream that are JSON objects.
std::vector<boost::json::value> messages_of(std::string_view stream);

/// What stands at a path of members; null if it does not.
const boost::json::value& at(const boost::json::value& from,
                             std::initializer_list<std::string_view> path);
std::string text_at(const boost::json::value& from, std::initializer_list<std::string_view> path);

/// An address without instance keys, by a regular expression.
std::string plain_address(const std::string& address);

}  // namespace tofud::test
