#include "daemon/http/whole_body.hpp"

#include <memory>
#include <utility>

namespace tofud::http {
namespace {

using whole = std::function<void(const request&, std::string, std::function<void(response)>)>;

class whole_body : public body_taker {
 public:
  whole_body(request asked, std::shared_ptr<const whole> handler)
      : asked_{std::move(asked)}, handler_{std::move(handler)} {}

  void take(std::string bytes, std::function<void(std::optional<response>)> next) override {
    if (body_.empty()) {
      body_ = std::move(bytes);
    } else {
      body_ += bytes;
    }
    next(std::nullopt);
  }
  void end(std::function<void(response)> answer) override {
    (*handler_)(asked_, std::move(body_), std::move(answer));
  }

 private:
  request asked_;
  std::shared_ptr<const whole> handler_;
  std::string body_;
};

}  // namespace

body_opener whole_body_opener(whole handler) {
  return [shared = std::make_shared<const whole>(std::move(handler))](
             const request& asked) -> std::variant<response, std::unique_ptr<body_taker>> {
    return std::make_unique<whole_body>(asked, shared);
  };
}

}  // namespace tofud::http
