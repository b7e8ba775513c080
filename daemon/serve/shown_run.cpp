#include "daemon/serve/shown_run.hpp"

#include "daemon/serve/ingested_run.hpp"

namespace tofud::serve {

feed::run_view shown_run::view() const {
  const bool is_behind = of->is_over() && !of->is_loaded();
  return live != nullptr && !is_behind ? live->view() : last;
}

}  // namespace tofud::serve
