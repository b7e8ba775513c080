// What is wrong with a plan or state document.
#pragma once

#include <boost/system/result.hpp>

#include <string>

namespace tofud::plan {

struct failure {
  /// The JSON path, what was expected there, and what to do if anything can be done.
  std::string sentence;
};

template <class T>
using result = boost::system::result<T, failure>;

}  // namespace tofud::plan
