// A run without a stream: rows whose versions a test makes, and the topic that is told of them.
#pragma once

#include "daemon/fanout/topic.hpp"

#include <boost/json.hpp>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofud::fanout {

struct fake_row {
  feed::row_kind kind = feed::row_kind::resource;
  std::string key, module, type;
  std::string value;
  bool removed = false;

  feed::row_facts facts() const {
    return {kind, kind == feed::row_kind::resource ? std::string_view{key} : std::string_view{},
            module, type};
  }
};

struct fake_line {
  feed::row_kind kind;
  feed::row_number subject;
  feed::sequence seq;
};

/// The owner of the rows. `seq` is the last number given.
class fake_run {
 public:
  explicit fake_run(topic_limits limits = {}) : log{make_topic(limits)} {}
  fake_run(const fake_run&) = delete;
  fake_run& operator=(const fake_run&) = delete;

  feed::row_number add(std::string key, std::string value = "new",
                       feed::row_kind kind = feed::row_kind::resource) {
    const auto row = static_cast<feed::row_number>(rows.size());
    rows.push_back({kind, std::move(key), {}, {}, {}, false});
    change(row, std::move(value));
    return row;
  }

  void change(feed::row_number row, std::string value) {
    rows[row].value = std::move(value);
    rows[row].removed = false;
    log.change({row, ++seq});
  }

  void line(feed::row_kind kind = feed::row_kind::text, feed::row_number subject = feed::no_row,
            std::string_view text = "line") {
    ++seq;
    const std::string json = "{\"kind\":\"" + std::string{feed::name(kind)} + "\",\"key\":\"" +
                             std::to_string(seq) + "\",\"seq\":" + std::to_string(seq) +
                             ",\"value\":\"" + std::string{text} + "\"}";
    log.append({kind, subject, seq, json, text});
    lines.push_back({kind, subject, seq});
  }

  void view(std::string value) {
    view_value = std::move(value);
    log.view_changed();
  }

  /// About a row, whose address is its key.
  void forecast(feed::row_number about, std::string value) {
    std::size_t number = 0;
    while (number < forecasts.size() && forecasts[number].first != about) ++number;
    if (number == forecasts.size()) forecasts.emplace_back(about, "");
    forecasts[number].second = std::move(value);
    log.forecast_changed(static_cast<feed::row_number>(number));
  }

  void remove(feed::row_number row) {
    rows[row].removed = true;
    log.remove(row, rows[row].kind, rows[row].key, ++seq);
  }

  feed::sequence seq = 0;
  std::vector<fake_row> rows;
  std::vector<fake_line> lines;
  std::vector<std::pair<feed::row_number, std::string>> forecasts;
  std::string view_value = "first";
  mutable std::size_t examined = 0, encoded = 0, views = 0;
  topic log;

 private:
  topic make_topic(topic_limits limits) {
    feed::row_source source;
    source.encode = [this](std::string& out, feed::row_number row, feed::sequence at) {
      ++encoded;
      const fake_row& one = rows[row];
      out.append("{\"kind\":\"").append(feed::name(one.kind)).append("\",\"key\":\"");
      out.append(one.key).append("\",\"seq\":").append(std::to_string(at));
      out.append(",\"value\":\"").append(one.value).append("\"}");
    };
    source.facts = [this](feed::row_number row) {
      ++examined;
      return rows[row].facts();
    };
    source.view = [this](std::string& out) {
      ++views;
      out.append("{\"kind\":\"run\",\"key\":\"R\",\"value\":\"").append(view_value).append("\"}");
    };
    source.forecast = [this](std::string& out, feed::row_number number) {
      const auto& [about, value] = forecasts[number];
      out.append("{\"kind\":\"forecast\",\"key\":\"~").append(rows[about].key);
      out.append("\",\"value\":\"").append(value).append("\"}");
    };
    source.forecast_facts = [this](feed::row_number number) {
      auto facts = rows[forecasts[number].first].facts();
      facts.kind = feed::row_kind::forecast;
      return facts;
    };
    return topic{"run/R", "/v1/runs/R", "E", std::move(source), limits};
  }
};

/// One line of a flush, as a client reads it.
struct seen_line {
  std::string kind, key, value;
  feed::sequence seq = 0, to = 0;  // of a gap: from, to
  bool live = false;
  std::string of;
};

inline std::vector<seen_line> read(std::string_view flush) {
  std::vector<seen_line> lines;
  while (!flush.empty()) {
    const std::size_t end = flush.find('\n');
    const boost::json::object json = boost::json::parse(flush.substr(0, end)).as_object();
    const auto text = [&](const char* name) {
      const auto* const found = json.if_contains(name);
      return found != nullptr ? std::string{found->as_string()} : std::string{};
    };
    const auto number = [&](const char* name) {
      const auto* const found = json.if_contains(name);
      return found != nullptr ? found->to_number<feed::sequence>() : 0;
    };
    seen_line line{text("kind"), text("key"), text("value"), number("seq"), 0, false, text("of")};
    line.live = json.contains("live");
    if (line.kind == "gap") {
      line.seq = number("from");
      line.to = number("to");
    }
    lines.push_back(std::move(line));
    flush.remove_prefix(end + 1);
  }
  return lines;
}

/// A flush in one word a line: `a=new`, `text`, `run=first`, `at 3 live`, `gap 1-2`, `-a`.
inline std::string brief(std::string_view flush) {
  std::string out;
  for (const seen_line& line : read(flush)) {
    if (!out.empty()) out += ", ";
    if (line.kind == "at")
      out += "at " + std::to_string(line.seq) + (line.live ? " live" : "");
    else if (line.kind == "gap")
      out += "gap " + std::to_string(line.seq) + "-" + std::to_string(line.to);
    else if (line.kind == "removed")
      out += "-" + line.key;
    else if (line.kind == "text" || line.kind == "log")
      out += line.kind + " " + line.key;
    else
      out += (line.kind == "run" && line.key == "R" ? "run" : line.key) + "=" + line.value;
  }
  return out;
}

}  // namespace tofud::fanout
