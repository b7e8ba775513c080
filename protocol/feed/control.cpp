#include "protocol/feed/control.hpp"

#include "protocol/json/quote.hpp"

namespace tofud::feed {
namespace {

/// One JSON object, written member by member.
class object {
 public:
  explicit object(std::string_view kind) { text("kind", kind); }

  object& text(std::string_view name, std::string_view value) {
    member(name);
    json::append_quoted(out_, value);
    return *this;
  }
  object& number(std::string_view name, std::uint64_t value) {
    member(name);
    out_ += std::to_string(value);
    return *this;
  }
  object& yes(std::string_view name) {
    member(name);
    out_ += "true";
    return *this;
  }
  object& time(std::string_view name, ui::time_point value) {
    member(name);
    out_ += '"';
    ui::append_timestamp(out_, value);
    out_ += '"';
    return *this;
  }
  std::string line() {
    out_ += '}';
    return std::move(out_);
  }

 private:
  void member(std::string_view name) {
    out_ += out_.empty() ? '{' : ',';
    out_ += '"';
    out_ += name;
    out_ += "\":";
  }

  std::string out_;
};

}  // namespace

std::string hello(std::string_view server, std::string_view build, std::string_view topic,
                  std::string_view epoch, std::chrono::milliseconds heartbeat, admitted how,
                  std::string_view not_current) {
  object line{"hello"};
  line.text("protocol", "1.0")
      .text("server", server)
      .text("build", build)
      .text("topic", topic)
      .text("epoch", epoch)
      .number("heartbeat_ms", static_cast<std::uint64_t>(heartbeat.count()));
  if (how == admitted::by_login) line.yes("login");
  if (!not_current.empty()) line.text("not_current", not_current);
  return line.line();
}

std::string at(sequence seq, liveness live) {
  object line{"at"};
  line.number("seq", seq);
  if (live == liveness::live) line.yes("live");
  return line.line();
}

std::string gap(sequence from, sequence to, std::string_view run_path) {
  // `from` of the log is exclusive, as a cursor is.
  std::string href{run_path};
  href.append("/log?from=").append(std::to_string(from - 1));
  return object{"gap"}.number("from", from).number("to", to).text("href", href).line();
}

std::string heartbeat(ui::time_point now, sequence at, std::string_view not_current) {
  object line{"heartbeat"};
  line.time("now", now).number("at", at);
  if (!not_current.empty()) line.text("not_current", not_current);
  return line.line();
}

std::string reset(std::string_view reason) { return object{"reset"}.text("reason", reason).line(); }

std::string removed(row_kind of, std::string_view key, sequence seq) {
  return object{"removed"}.text("of", name(of)).text("key", key).number("seq", seq).line();
}

std::string error(int code, std::string_view message) {
  return object{"error"}
      .number("code", static_cast<std::uint64_t>(code))
      .text("message", message)
      .line();
}

}  // namespace tofud::feed
