#include "daemon/serve/live_runs.hpp"

#include "daemon/http/limits.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace tofud::serve {

struct live_runs::counts {
  std::size_t all = 0;
  std::unordered_map<std::string, std::size_t> by_sender, by_name;
};

class live_runs::place {
 public:
  place(std::shared_ptr<counts> in, std::string sender, std::string name)
      : counts_{std::move(in)}, sender_{std::move(sender)}, name_{std::move(name)} {
    ++counts_->all;
    if (!sender_.empty()) ++counts_->by_sender[sender_];
    if (!name_.empty()) ++counts_->by_name[name_];
  }
  place(const place&) = delete;
  place& operator=(const place&) = delete;
  ~place() {
    --counts_->all;
    give_back(counts_->by_sender, sender_);
    give_back(counts_->by_name, name_);
  }

 private:
  static void give_back(std::unordered_map<std::string, std::size_t>& to, const std::string& key) {
    if (key.empty()) return;
    const auto found = to.find(key);
    if (--found->second == 0) to.erase(found);
  }

  std::shared_ptr<counts> counts_;
  std::string sender_, name_;
};

live_runs::live_runs(bounds within) : bounds_{within}, counts_{std::make_shared<counts>()} {}

void live_runs::set(bounds within) { bounds_ = within; }

live_runs::room live_runs::ask(const std::string& sender, const std::string& name,
                               clock::time_point now) {
  if (counts_->all >= bounds_.all) {
    ++refused_;
    return room::none;
  }
  const auto its = counts_->by_sender.find(sender);
  if (its != counts_->by_sender.end() && its->second >= bounds_.of_a_sender) {
    ++refused_to_sender_;
    return room::none_for_sender;
  }
  const auto of_name = counts_->by_name.find(name);
  if (of_name != counts_->by_name.end() && of_name->second >= bounds_.of_a_name()) {
    ++refused_to_sender_;
    return room::none_for_name;
  }
  const std::string& begins = name.empty() ? sender : name;
  if (begins.empty()) return room::some;
  if (full_at_.size() >= swept_at_) {
    std::erase_if(full_at_, [now](const auto& each) { return each.second <= now; });
    swept_at_ = std::max(least_swept, 2 * full_at_.size());
  }
  auto& full = full_at_.try_emplace(begins, now).first->second;
  full = std::max(full, now);
  if (full + limits::new_run_every > now + limits::new_runs_at_once * limits::new_run_every) {
    ++refused_as_too_fast_;
    return room::too_fast;
  }
  full += limits::new_run_every;
  return room::some;
}

std::shared_ptr<const live_runs::place> live_runs::take(std::string sender, std::string name) {
  return std::make_shared<const place>(counts_, std::move(sender), std::move(name));
}

std::size_t live_runs::count() const { return counts_->all; }

}  // namespace tofud::serve
