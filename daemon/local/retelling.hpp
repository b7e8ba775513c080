// What tofu would have printed, told from the stream that took its place.
#pragma once

#include "daemon/keeper/shared_page.hpp"
#include "daemon/terminal/colour.hpp"
#include "daemon/terminal/tofu_text.hpp"
#include "daemon/terminal/writer.hpp"

#include <cstdint>
#include <string_view>

namespace tofud {

/// Tells no line twice, though the worker before this one told some: it counts them in the page.
class retelling {
 public:
  /// `page` outlives this.
  retelling(keeper::stream_page& page, terminal::colour_flag colour);

  void feed(std::string_view bytes) { text_.feed(bytes); }
  /// Waits until all is told, unless the terminal takes none.
  void end();
  bool drained() const { return teller_.drained(); }

 private:
  const std::uint64_t told_before_;  // lines, by the worker before this one
  std::uint64_t told_ = 0;
  terminal::line_writer teller_;
  terminal::tofu_text text_;
};

}  // namespace tofud
