// What went wrong: a value that callers tell apart, and one sentence for people.
//
// A folder names what can go wrong in it in an `enum class error`, and has the sentence of each in
// its `errors.cpp`:
//
//   enum class error { unreadable, too_large };                                    // errors.hpp
//   std::string_view sentence(error what);
//
//   constexpr auto sentences = text::catalogue<error>({                              // errors.cpp
//       {error::unreadable, "can't read {}: {}"}, {error::too_large, "{} is larger than {}
//       bytes"}});
//   std::string_view sentence(error what) { return sentences[what]; }
//
//   return text::failure{error::unreadable, path, std::strerror(errno)};
//   if (read.error().is(files::error::unreadable)) …
#pragma once

#include <boost/system/result.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tofud::text {

/// `sentence` with each `{}` replaced by the next of `details`. What is missing leaves its `{}`;
/// what is too much is passed over.
std::string filled(std::string_view sentence, const std::vector<std::string>& details);

template <class Error>
struct catalogue_entry {
  Error what;
  std::string_view sentence;
};

/// The sentences of an enum by its values. An enumerator beyond the last has an empty one.
template <class Error, std::size_t Count>
struct catalogue_of {
  std::string_view sentences[Count];

  constexpr std::string_view operator[](Error what) const {
    const auto at = static_cast<std::size_t>(what);
    return at < Count ? sentences[at] : std::string_view{};
  }
};

/// Does not compile when a sentence is missing in the middle, or stands in another place than its
/// enumerator.
template <class Error, std::size_t Count>
consteval catalogue_of<Error, Count> catalogue(const catalogue_entry<Error> (&entries)[Count]) {
  catalogue_of<Error, Count> made{};
  for (std::size_t i = 0; i < Count; ++i) {
    if (static_cast<std::size_t>(entries[i].what) != i) throw "not in the order of the enum";
    made.sentences[i] = entries[i].sentence;
  }
  return made;
}

/// An enum with a `std::string_view sentence(Error)` beside it, of static storage.
template <class Error>
concept has_sentences = std::is_enum_v<Error> && requires(Error what) {
  { sentence(what) } -> std::same_as<std::string_view>;
};

/// What went wrong, whichever folder says so: a value of that folder's enum, and what its sentence
/// names. Cheap to move, and passed on as it is by folders that add nothing.
class failure {
 public:
  failure() = default;  // boost::system::result asks for it

  /// `details`: texts and whole numbers, in the order of the sentence's `{}`.
  template <has_sentences Error, class... Details>
  failure(Error what, const Details&... details)
      : of_{&kind<Error>},
        what_{static_cast<int>(what)},
        sentence_{sentence(what)},
        details_{detail(details)...} {}

  template <has_sentences Error>
  bool is(Error what) const {
    return of_ == &kind<Error> && what_ == static_cast<int>(what);
  }

  /// Made without an error: nothing went wrong.
  bool empty() const { return of_ == nullptr; }
  /// What happened, why, and what can be done, without a full stop; "" if nothing went wrong.
  std::string text() const { return filled(sentence_, details_); }

 private:
  template <class Error>
  static constexpr char kind = 0;

  static std::string detail(std::string_view text) { return std::string{text}; }
  static std::string detail(const failure& of) { return of.text(); }
  template <class Number>
  requires std::is_integral_v<Number>
  static std::string detail(Number number) { return std::to_string(number); }

  const void* of_ = nullptr;
  int what_ = 0;
  std::string_view sentence_;
  std::vector<std::string> details_;
};

template <class T>
using result = boost::system::result<T, failure>;

/// Where what can't be had is as good as empty.
template <class T>
T or_empty(result<T>&& given) {
  return given ? std::move(*given) : T{};
}

}  // namespace tofud::text
