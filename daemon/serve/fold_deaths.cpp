#include "daemon/serve/fold_deaths.hpp"

#include "daemon/files/checked_file.hpp"
#include "daemon/files/regular_file.hpp"
#include "daemon/journal/limits.hpp"
#include "daemon/serve/limits.hpp"

#include <cstdio>
#include <fcntl.h>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace tofud::serve {
namespace {

/// A daemon's watchdog waits for minutes; who kills it by hand or by chance does so at any time.
constexpr std::chrono::seconds good_while{30};

}  // namespace

// Lines of "RUN DEATHS", and "RUN DEATHS SECONDS" of the one that was being folded since then.
fold_deaths::fold_deaths(std::string file, clock::time_point now) : file_{std::move(file)} {
  if (file_.empty()) return;
  std::istringstream lines{
      text::or_empty(files::read_regular_file(file_, limits::journal_header_bytes))};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words{line};
    std::string run;
    unsigned deaths = 0;
    long long since = 0;
    if (!(words >> run >> deaths)) continue;
    if (words >> since && now - clock::from_time_t(since) >= good_while) ++deaths;
    if (deaths > 0) deaths_[run] = deaths;
  }
  save();
}

bool fold_deaths::is_deadly(const std::string& run) const {
  const auto found = deaths_.find(run);
  return found != deaths_.end() && found->second >= limits::fold_deaths;
}

void fold_deaths::began(const std::string& run, clock::time_point now) {
  folding_ = run;
  since_ = now;
  save();
}

void fold_deaths::ended() {
  if (folding_.empty()) return;
  deaths_.erase(std::exchange(folding_, ""));
  save();
}

void fold_deaths::forget(const std::string& run) {
  if (deaths_.erase(run) > 0) save();
}

void fold_deaths::save() const {
  if (file_.empty()) return;
  std::string text;
  for (const auto& [run, deaths] : deaths_) {
    if (run != folding_) text += run + " " + std::to_string(deaths) + "\n";
  }
  if (!folding_.empty()) {
    const auto known = deaths_.find(folding_);
    text += folding_ + " " + std::to_string(known == deaths_.end() ? 0 : known->second) + " " +
            std::to_string(clock::to_time_t(since_)) + "\n";
  }
  if (text.empty()) {
    std::remove(file_.c_str());
    return;
  }
  const int fd = files::open_checked(file_, O_WRONLY | O_CREAT | O_TRUNC);
  if (fd < 0) return;
  [[maybe_unused]] const auto written = ::write(fd, text.data(), text.size());
  ::close(fd);
}

}  // namespace tofud::serve
