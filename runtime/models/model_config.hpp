#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/enum_names.hpp"
#include "scratchpage/messages/fields.hpp"

namespace scratchpage {

namespace models {

/// Who makes the decisions of a daemon.
enum class decided_by : uint8_t {
  rules,            ///< the built-in policy; nothing is asked
  model,            ///< the model; the rules decide if it gives no valid answer
  model_then_rules, ///< the model where it is sure enough; otherwise the rules
};

} // namespace models

template <>
inline constexpr std::array<std::string_view, 3> enum_names<models::decided_by>{
  "rules", "model", "model_then_rules"};

namespace models {

/// Who decides, for each daemon that can ask a model.
struct daemon_choices {
  decided_by router = decided_by::rules;
  decided_by clarifier = decided_by::rules;
  decided_by error_handler = decided_by::rules;
  decided_by evaluator = decided_by::rules;
  decided_by reflector = decided_by::rules;

  static constexpr auto fields(auto all) {
    using self = daemon_choices;
    return all(optional("router", &self::router), optional("clarifier", &self::clarifier),
      optional("error_handler", &self::error_handler), optional("evaluator", &self::evaluator),
      optional("reflector", &self::reflector));
  }

  bool operator==(const daemon_choices&) const = default;
};

/// The endpoint that daemons may ask, and how much they may ask it.
struct model_config {
  std::string address;               ///< such as http://127.0.0.1:8080/v1; "": there is no model
  std::string key_file;              ///< a file with the key of the endpoint; "": none
  std::string key_env;               ///< a variable of the environment with the key; "": none
  std::string model;                 ///< the name that the endpoint knows the model by
  double deadline_ms = 10'000;       ///< for an answer, all attempts and the wait included
  uint32_t concurrency = 4;          ///< requests at a time, of one agent
  uint32_t max_waiting = 256;        ///< requests that wait for others; for more, the rules decide
  uint32_t attempts = 3;             ///< of one request, the first one included
  uint64_t tokens_per_turn = 20'000; ///< of prompts and answers; the rules decide beyond it
  uint32_t answer_tokens = 1'000;    ///< of one answer, as the endpoint is told
  double sure_from = 0.6; ///< `model_then_rules`: the confidence from which the model decides
  std::string prompts;    ///< a folder whose files replace the built-in prompts; "": none
  daemon_choices daemons;

  static constexpr auto fields(auto all) {
    using self = model_config;
    return all(optional("address", &self::address), optional("key_file", &self::key_file),
      optional("key_env", &self::key_env), optional("model", &self::model),
      optional("deadline_ms", &self::deadline_ms), optional("concurrency", &self::concurrency),
      optional("max_waiting", &self::max_waiting), optional("attempts", &self::attempts),
      optional("tokens_per_turn", &self::tokens_per_turn),
      optional("answer_tokens", &self::answer_tokens), optional("sure_from", &self::sure_from),
      optional("prompts", &self::prompts), optional("daemons", &self::daemons));
  }

  /// Whether any daemon asks a model.
  bool is_used() const { return daemons != daemon_choices{}; }
};

/// The error names the path.
caf::error validate(const model_config& x, std::string_view path);

/// The value of a variable of the environment; nothing if it is not set.
using variable_reader = std::function<std::optional<std::string>(const std::string& name)>;

/// The key of the endpoint; "" if the configuration names none. Errors: `invalid_request` about
/// `models.key_file` or `models.key_env` if there is no such key, or if it could not be sent in a
/// header. No error repeats the key.
caf::expected<std::string> read_key(const model_config& x, const variable_reader& variables);

/// The variables of this process.
variable_reader variables_of_process();

} // namespace models

} // namespace scratchpage
