// What tofu would have printed, told from the stream that took its place.
#pragma once

#include "daemon/keeper/shared_page.hpp"
#include "daemon/local/view_options.hpp"
#include "daemon/terminal/plan_telling.hpp"
#include "daemon/terminal/tofu_text.hpp"
#include "daemon/terminal/writer.hpp"

#include <atomic>
#include <cstdint>
#include <string_view>
#include <variant>

namespace tofud {

/// Tells no line twice, though the worker before this one told some: it counts them in the page,
/// where it also says up to which byte of the stream all is told. Of a plan it tells what stands
/// before it.
class retelling {
 public:
  /// `page` outlives this. `view.wrapped` is there.
  retelling(keeper::stream_page& page, const view_options& view);

  void feed(std::string_view bytes);
  /// Waits until all is told, unless the terminal takes none.
  void end();
  bool drained() const { return out_.drained() && err_.drained(); }

 private:
  terminal::line_sink to(terminal::line_writer& writer);
  void publish();

  keeper::stream_page& page_;
  const std::uint64_t told_before_;  // lines, by the worker before this one
  std::uint64_t told_ = 0;
  std::atomic<std::uint64_t> fed_{0}, queued_{0}, on_out_{0}, on_err_{0};
  terminal::line_writer out_, err_;
  std::variant<terminal::tofu_text, terminal::plan_telling> text_;
};

}  // namespace tofud
