// Metrics as Prometheus reads them: the text format, version 0.0.4.
#pragma once

#include "protocol/text/histogram.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace tofud::operations {

/// What `text` is served as.
inline constexpr std::string_view exposition_type = "text/plain; version=0.0.4; charset=utf-8";

/// Writes families in the order of the calls: first one of the three that open a family, then its
/// samples. Values of labels are escaped; none holds what somebody outside chose, but names of
/// stacks where the daemon's owner asks for them.
class exposition {
 public:
  struct label {
    std::string_view name, value;
  };
  using labels = std::initializer_list<label>;

  /// A name that ends in `_total`, and a sentence.
  void counter(std::string_view name, std::string_view help);
  void gauge(std::string_view name, std::string_view help);
  /// One sample of the family.
  void sample(labels of, double value);
  void sample(double value) { sample({}, value); }
  /// A whole family without labels.
  void histogram(std::string_view name, std::string_view help,
                 const tofud::text::histogram& counted);

  const std::string& text() const { return text_; }

 private:
  void family(std::string_view name, std::string_view help, std::string_view type);
  void line(std::string_view suffix, labels of, double value);

  std::string text_, name_;
};

}  // namespace tofud::operations
