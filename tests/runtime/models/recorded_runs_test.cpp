#include <atomic>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/runtime/cli/process.hpp"
#include "scratchpage/runtime/simulation/player.hpp"
#include "scratchpage/tests/runtime/net/http/served.hpp"
#include "scratchpage/tests/support/source_dir.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

/// `scratchpage simulate --model-replies`: a run of a sample with a server of models, and the same
/// run again without it.

namespace scratchpage::test {

namespace {

/// What the model says to each daemon. To the Error Handler it says nothing.
std::string content_for(std::string_view daemon) {
  if (daemon == "router")
    return R"({"level":"medium","reasons":["asked"],"requests":[],"alert_ids":[],"confidence":0.9})";
  if (daemon == "clarifier")
    return R"({"questions":[],"confidence":0.9})";
  if (daemon == "evaluator")
    return R"({"outcome":"complete","summary":"All is done","reasons":["seen"],"reviews":[],)"
           R"("confidence":0.9})";
  if (daemon == "reflector")
    return R"({"lessons":[],"confidence":0.9})";
  return "I do not know.";
}

/// A server of models.
struct model_server {
  std::atomic<size_t> asked{0};
  std::unique_ptr<http::server> server = serve([this](http::request x, const exchange_ptr& back) {
    ++asked;
    auto body = parse_json(x.body);
    auto daemon = body->at("response_format").at("json_schema").at("name").as_string();
    json::object message{
      {"role", "assistant"}, {"content", content_for({daemon.data(), daemon.size()})}};
    json::object answer{{"choices", json::array{json::object{{"message", std::move(message)}}}}};
    back->respond({200, {{"content-type", "application/json"}}, to_text(answer)});
  });

  std::string config() const {
    return R"({"models": {"model": "m", "daemons": {"router": "model", "clarifier": "model",
      "error_handler": "model_then_rules", "evaluator": "model_then_rules", "reflector": "model"},
      "deadline_ms": 60000, "address": "http://127.0.0.1:)"
           + std::to_string(server->port()) + "/v1\"}}";
  }
};

struct runs : temp_dir {
  std::string config;
  std::string errors;

  /// Plays the sample, and writes the trace to a file of that name.
  int play(const std::string& sample, const std::string& trace) {
    auto input = source_file("samples/scenarios/" + sample);
    auto replies = (path() / (sample + ".replies")).string();
    auto to = (path() / trace).string();
    std::ostringstream out, err;
    std::istringstream in;
    command_environment environment{out, err, {}, {}, false, {}, {}, &in};
    environment.make_player = [] { return std::make_unique<ensemble_player>(); };
    environment.now_ms = [] { return 0.0; };
    std::vector<const char*> words{"scratchpage", "simulate", input.c_str(), "--quiet", "--config",
      config.c_str(), "--model-replies", replies.c_str(), "--trace", to.c_str()};
    auto result = run_command_line(static_cast<int>(words.size()), words.data(), environment);
    errors = err.str();
    return result;
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(runs_with_recorded_replies)

BOOST_FIXTURE_TEST_CASE(have_the_same_trace_to_the_byte_each_time, runs) {
  auto there = std::make_unique<model_server>();
  config = file("models.json", there->config());
  for (const std::string sample : {"timeout.json", "weather.json"}) {
    auto asked = there->asked.load();
    auto result = play(sample, "recorded");
    BOOST_TEST(there->asked > asked);
    asked = there->asked;
    BOOST_TEST(play(sample, "first") == result);
    BOOST_TEST(play(sample, "second") == result, errors);
    BOOST_TEST(there->asked == asked);
    auto recorded = read("recorded");
    BOOST_TEST(recorded.find(R"("decided_by":"model")") != std::string::npos);
    BOOST_TEST((read("first") == recorded));
    BOOST_TEST((read("second") == recorded));
  }
}

BOOST_FIXTURE_TEST_CASE(need_no_server, runs) {
  auto there = std::make_unique<model_server>();
  config = file("models.json", there->config());
  auto result = play("timeout.json", "recorded");
  there.reset();
  BOOST_TEST(play("timeout.json", "again") == result);
  BOOST_TEST((read("again") == read("recorded")));
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace scratchpage::test
