// The link by libnats. Its threads only put what they have into a mailbox; whatever may wait for a
// socket is done by a thread of ours.
#include "daemon/cluster/errors.hpp"
#include "daemon/cluster/link.hpp"

#if __has_include(<nats/nats.h>) && !defined(TOFUD_WITHOUT_NATS)

#include "daemon/cluster/nats_library.hpp"
#include "daemon/net/worker_thread.hpp"
#include "protocol/text/whole_number.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <random>
#include <unordered_map>
#include <utility>

namespace tofud::cluster {
namespace {

namespace asio = boost::asio;

class nats_link;

/// What libnats' threads say, until the loop looks. It stays for as long as the program: nobody can
/// tell when the last of them is through with it.
class mailbox {
 public:
  enum class news : std::uint8_t { down, up, closed };
  struct arrived {
    std::uint64_t subscription = 0;
    message what;
  };
  struct contents {
    std::vector<arrived> messages;
    std::vector<std::pair<news, std::string>> told;  // and why
    std::size_t bytes = 0;                           // of the messages
  };
  /// What a subscription's callback gets.
  struct tag {
    mailbox* to = nullptr;
    std::uint64_t subscription = 0;
  };

  static mailbox& make(asio::io_context& io, std::function<void()> filled) {
    static std::mutex guard;
    static auto& all = *new std::vector<std::unique_ptr<mailbox>>;
    const std::lock_guard lock{guard};
    all.push_back(std::make_unique<mailbox>());
    all.back()->io_ = &io;
    all.back()->filled_ = std::move(filled);
    return *all.back();
  }

  /// Its loop goes: nothing is taken from here on.
  void shut() {
    const std::lock_guard lock{guard_};
    io_ = nullptr;
    filled_ = nullptr;
    kept_ = {};
  }
  /// Beyond limits::nats_waiting_bytes it is dropped: whoever reads in order misses it and asks
  /// again, whoever waits for an answer asks again in the end.
  void put(arrived one) {
    const std::lock_guard lock{guard_};
    if (kept_.bytes > limits::nats_waiting_bytes) return;
    kept_.bytes += one.what.data.size();
    kept_.messages.push_back(std::move(one));
    wake();
  }
  void put(news what, std::string why) {
    const std::lock_guard lock{guard_};
    kept_.told.emplace_back(what, std::move(why));
    wake();
  }
  contents take() {
    const std::lock_guard lock{guard_};
    is_awake_ = false;
    return std::exchange(kept_, {});
  }

 private:
  void wake() {
    if (io_ == nullptr || std::exchange(is_awake_, true)) return;
    asio::post(*io_, filled_);
  }

  std::mutex guard_;
  asio::io_context* io_ = nullptr;
  std::function<void()> filled_;
  contents kept_;
  bool is_awake_ = false;
};

std::string text_of(const char* text) { return text == nullptr ? "" : text; }

/// On the thread where it happened.
std::string why_of(const nats_library& lib, natsStatus status) {
  natsStatus last = NATS_OK;
  const std::string more = text_of(lib.last_error(&last));
  const std::string what = lib.status_text(status);
  return last == NATS_OK || more.empty() ? what : what + " (" + more + ")";
}

void on_message(natsConnection*, natsSubscription*, natsMsg* came, void* closure) {
  const nats_library& lib = **nats();
  const auto* to = static_cast<mailbox::tag*>(closure);
  mailbox::arrived one;
  one.subscription = to->subscription;
  one.what.subject = text_of(lib.subject(came));
  one.what.reply = text_of(lib.reply(came));
  if (const int size = lib.data_length(came); size > 0)
    one.what.data.assign(lib.data(came), static_cast<std::size_t>(size));
  const char** keys = nullptr;
  int count = 0;
  if (lib.header_keys(came, &keys, &count) == NATS_OK) {
    for (int i = 0; i < count; ++i) {
      const char* value = nullptr;
      if (lib.header_get(came, keys[i], &value) == NATS_OK)
        one.what.headers.push_back({keys[i], text_of(value)});
    }
    std::free(static_cast<void*>(keys));
  }
  lib.message_destroy(came);
  to->to->put(std::move(one));
}

/// The last call for a subscription.
void on_complete(void* closure) { delete static_cast<mailbox::tag*>(closure); }

std::string last_error_of(natsConnection* connection) {
  const char* text = nullptr;
  (*nats())->connection_error(connection, &text);
  return text_of(text);
}
void on_disconnected(natsConnection* connection, void* closure) {
  static_cast<mailbox*>(closure)->put(mailbox::news::down, last_error_of(connection));
}
void on_reconnected(natsConnection*, void* closure) {
  static_cast<mailbox*>(closure)->put(mailbox::news::up, "");
}
void on_closed(natsConnection* connection, void* closure) {
  static_cast<mailbox*>(closure)->put(mailbox::news::closed, last_error_of(connection));
}
void on_error(natsConnection*, natsSubscription*, natsStatus, void*) {
  // A slow consumer: what it lost is missed by whoever reads in order. All else ends the
  // connection.
}

class nats_link final : public link {
 public:
  nats_link(asio::io_context& io, servers to, std::string name, listeners told)
      : io_{io},
        to_{std::move(to)},
        name_{std::move(name)},
        told_{std::move(told)},
        box_{mailbox::make(io, [this] { drain(); })},
        worker_{std::make_unique<net::worker_thread>(io)},
        again_{io} {
    std::random_device random;
    inbox_ = "_INBOX." + std::to_string(random()) + std::to_string(random());
    subscribe_to(0, inbox_ + ".>");
    connect();
  }

  ~nats_link() override {
    box_.shut();
    worker_.reset();  // waits for what it does
    let_go();
  }

  bool is_up() const override { return is_up_; }
  std::uint64_t reconnects() const override { return reconnects_; }
  std::string trouble() const override { return trouble_; }

  void publish(message said) override { send(std::move(said)); }

  net::task<text::result<message>> ask(message said, std::chrono::milliseconds patience) override {
    using answer = text::result<message>;
    if (!is_up_ || sending_bytes_ > limits::nats_waiting_bytes)
      co_return answer{boost::system::in_place_error, error::not_connected, trouble_};
    auto waiting = net::given<answer>([this, &said, patience](std::function<void(answer)> give) {
      const std::uint64_t number = ++numbers_;
      said.reply = inbox_ + "." + std::to_string(number);
      const auto clock = std::make_shared<asio::steady_timer>(io_, patience);
      asked_.emplace(number, asked{std::move(give), clock});
      clock->async_wait([this, number, patience, alive = std::weak_ptr{alive_}](auto failed) {
        if (failed || alive.expired()) return;
        end(number, {boost::system::in_place_error, error::no_answer, patience.count()});
      });
      send(std::move(said));
    });
    co_return co_await std::move(waiting);
  }

  held subscribe(const std::string& subject, handler each) override {
    const std::uint64_t number = ++numbers_;
    handlers_.emplace(number, std::make_shared<handler>(std::move(each)));
    subscribe_to(number, subject);
    return held{this, [this, number, alive = std::weak_ptr{alive_}](const void*) {
                  if (alive.expired()) return;
                  handlers_.erase(number);
                  unsubscribe(number);
                }};
  }

  inbox open_inbox(handler each) override {
    // What a stream gives comes under the subject that it has there, so it is told apart by the
    // subscription.
    const std::string subject = inbox_ + "-" + std::to_string(numbers_ + 1);
    return {subject, subscribe(subject, std::move(each))};
  }

 private:
  using answer = text::result<message>;
  struct asked {
    std::function<void(answer)> give;
    std::shared_ptr<asio::steady_timer> clock;
  };

  // ---- the loop -------------------------------------------------------------------------------

  void drain() {
    mailbox::contents came = box_.take();
    for (const auto& [what, why] : came.told) take(what, why);
    for (mailbox::arrived& each : came.messages) take(std::move(each));
  }

  void take(mailbox::news what, const std::string& why) {
    switch (what) {
      case mailbox::news::up: {
        const bool again = std::exchange(was_up_, true);
        if (again) ++reconnects_;
        trouble_.clear();
        change(true);
        break;
      }
      case mailbox::news::down:
        trouble_ = why.empty() ? "the connection was lost" : why;
        change(false);
        break;
      case mailbox::news::closed:
        if (!why.empty()) trouble_ = why;
        change(false);
        // libnats has given up, as after a refused login: files and servers may be others by now.
        again_.expires_after(limits::nats_connect_again);
        again_.async_wait([this](boost::system::error_code failed) {
          if (!failed) connect();
        });
        break;
    }
  }

  void change(bool is_up) {
    if (!is_up && !trouble_.empty() && std::exchange(said_, trouble_) != trouble_)
      told_.said(text::failure{error::not_connected, trouble_}.text());
    if (is_up) said_.clear();
    if (!is_up) {
      for (auto& [number, each] : std::exchange(asked_, {})) {
        each.clock->cancel();
        each.give({boost::system::in_place_error, error::not_connected, trouble_});
      }
    }
    if (std::exchange(is_up_, is_up) != is_up) told_.changed(is_up);
  }

  void take(mailbox::arrived came) {
    std::uint64_t number = came.subscription;
    if (number == 0) {  // ours: the rest of the subject says whose
      const std::string_view rest = std::string_view{came.what.subject}.substr(inbox_.size() + 1);
      number = text::parse_whole_number<std::uint64_t>(rest).value_or(0);
      if (asked_.contains(number)) return end(number, answer{std::move(came.what)});
    }
    const auto found = handlers_.find(number);
    if (found == handlers_.end()) return;
    const auto handles = found->second;  // it may give itself up
    (*handles)(std::move(came.what));
  }

  void end(std::uint64_t number, answer with) {
    auto found = asked_.extract(number);
    if (!found) return;
    found.mapped().clock->cancel();
    found.mapped().give(std::move(with));
  }

  // ---- the thread that waits ------------------------------------------------------------------

  void connect() {
    worker_->post([this] {
      let_go();
      std::string why;
      natsConnection* made = make(why);
      if (made == nullptr) return box_.put(mailbox::news::closed, why);
      connection_ = made;
      for (const auto& [number, subject] : wanted_) subscribe_now(number, subject);
      box_.put(mailbox::news::up, "");
    });
  }

  void let_go() {
    for (const auto& [number, each] : std::exchange(subscriptions_, {}))
      lib_.subscription_destroy(each);
    if (connection_ == nullptr) return;
    lib_.close(connection_);
    lib_.destroy(std::exchange(connection_, nullptr));
  }

  natsConnection* make(std::string& why) {
    natsOptions* options = nullptr;
    if (lib_.options_create(&options) != NATS_OK) return why = "no memory", nullptr;
    const natsStatus set = fill(options, why);
    natsConnection* made = nullptr;
    if (set == NATS_OK) {
      if (const natsStatus status = lib_.connect(&made, options); status != NATS_OK) {
        why = why_of(lib_, status);
        made = nullptr;
      } else if (lib_.max_payload(made) < static_cast<std::int64_t>(limits::nats_message_bytes)) {
        why =
            text::failure{error::small_messages, lib_.max_payload(made), limits::nats_message_bytes}
                .text();
        lib_.destroy(std::exchange(made, nullptr));
      }
    }
    lib_.options_destroy(options);
    return made;
  }

  natsStatus fill(natsOptions* options, std::string& why) {
    std::vector<const char*> urls;
    for (const std::string& each : to_.urls) urls.push_back(each.c_str());
    const auto set = [&](natsStatus status, const char* what) {
      if (status != NATS_OK)
        why = text::failure{error::bad_option, what, why_of(lib_, status)}.text();
      return status == NATS_OK;
    };
    const auto in_ms = [](auto time) {
      return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
    };
    const bool is_set =
        set(lib_.set_servers(options, urls.data(), static_cast<int>(urls.size())), "nats") &&
        set(lib_.set_name(options, name_.c_str()), "name") &&
        set(lib_.set_timeout(options, in_ms(limits::nats_connect_wait)), "nats") &&
        set(lib_.set_write_deadline(options, in_ms(limits::nats_write_wait)), "nats") &&
        set(lib_.set_ping_interval(options, in_ms(limits::nats_ping_every)), "nats") &&
        set(lib_.set_pings_out(options, 2), "nats") &&
        set(lib_.use_one_thread(options, true), "nats") &&
        set(lib_.set_max_reconnect(options, -1), "nats") &&
        set(lib_.set_reconnect_wait(options, in_ms(limits::nats_connect_again)), "nats") &&
        set(lib_.set_reconnect_jitter(options, 100, 100), "nats") &&
        // What was said while it was down is not said later: whoever asked was told.
        set(lib_.set_reconnect_buffer(options, 1), "nats") &&
        (to_.ca_file.empty() ||
         (set(lib_.set_secure(options, true), "ca_file") &&
          set(lib_.load_authorities(options, to_.ca_file.c_str()), "ca_file"))) &&
        (to_.certificate_file.empty() ||
         set(lib_.load_certificate(options, to_.certificate_file.c_str(), to_.key_file.c_str()),
             "cert_file")) &&
        (to_.credentials_file.empty() ||
         set(lib_.set_credentials(options, to_.credentials_file.c_str(), nullptr),
             "credentials_file")) &&
        (to_.nkey_seed_file.empty() ||
         set(lib_.set_nkey(options, to_.nkey.c_str(), to_.nkey_seed_file.c_str()),
             "nkey_seed_file")) &&
        set(lib_.on_disconnected(options, on_disconnected, &box_), "") &&
        set(lib_.on_reconnected(options, on_reconnected, &box_), "") &&
        set(lib_.on_closed(options, on_closed, &box_), "") &&
        set(lib_.on_error(options, on_error, &box_), "");
    return is_set ? NATS_OK : NATS_ERR;
  }

  void subscribe_to(std::uint64_t number, const std::string& subject) {
    worker_->post([this, number, subject] {
      wanted_[number] = subject;
      if (connection_ != nullptr) subscribe_now(number, subject);
    });
  }

  void subscribe_now(std::uint64_t number, const std::string& subject) {
    natsSubscription* made = nullptr;
    auto tag = std::make_unique<mailbox::tag>(mailbox::tag{&box_, number});
    if (lib_.subscribe(&made, connection_, subject.c_str(), on_message, tag.get()) != NATS_OK)
      return;  // the connection is gone; with the next one
    // It is libnats' from here on.
    static_cast<void>(lib_.on_complete(made, on_complete, tag.release()));
    lib_.set_pending_limits(made, -1, static_cast<int>(limits::nats_waiting_bytes));
    subscriptions_[number] = made;
  }

  void unsubscribe(std::uint64_t number) {
    worker_->post([this, number] {
      wanted_.erase(number);
      const auto found = subscriptions_.extract(number);
      if (found) lib_.subscription_destroy(found.mapped());
    });
  }

  void send(message said) {
    const std::size_t bytes = said.data.size();
    sending_bytes_ += bytes;
    worker_->post([this, said = std::move(said), bytes] {
      sending_bytes_ -= bytes;
      if (connection_ == nullptr) return;
      natsMsg* made = nullptr;
      if (lib_.message_create(&made, said.subject.c_str(),
                              said.reply.empty() ? nullptr : said.reply.c_str(), said.data.data(),
                              static_cast<int>(said.data.size())) != NATS_OK)
        return;
      for (const header& each : said.headers)
        lib_.header_set(made, each.name.c_str(), each.value.c_str());
      lib_.publish(connection_, made);
      lib_.message_destroy(made);
    });
  }

  const nats_library& lib_ = **nats();
  asio::io_context& io_;
  servers to_;
  std::string name_, inbox_;
  listeners told_;
  mailbox& box_;
  std::shared_ptr<int> alive_ = std::make_shared<int>(0);
  bool is_up_ = false, was_up_ = false;
  std::string trouble_ = "not yet connected", said_;
  std::uint64_t reconnects_ = 0, numbers_ = 0;
  std::unordered_map<std::uint64_t, asked> asked_;
  std::unordered_map<std::uint64_t, std::shared_ptr<handler>> handlers_;
  std::atomic<std::size_t> sending_bytes_ = 0;
  std::unique_ptr<net::worker_thread> worker_;
  asio::steady_timer again_;

  // Of the thread that waits.
  natsConnection* connection_ = nullptr;
  std::unordered_map<std::uint64_t, std::string> wanted_;
  std::unordered_map<std::uint64_t, natsSubscription*> subscriptions_;
};

}  // namespace

text::result<std::unique_ptr<link>> link::open(asio::io_context& io, servers to, std::string name,
                                               listeners told) {
  if (const auto found = nats(); !found) return found.error();
  return std::unique_ptr<link>{
      std::make_unique<nats_link>(io, std::move(to), std::move(name), std::move(told))};
}

}  // namespace tofud::cluster

#else

namespace tofud::cluster {

// NOLINTBEGIN(performance-unnecessary-value-param): the same declaration
text::result<std::unique_ptr<link>> link::open(boost::asio::io_context&, servers, std::string,
                                               listeners) {
  return text::failure{error::built_without};
}
// NOLINTEND(performance-unnecessary-value-param)

}  // namespace tofud::cluster

#endif
