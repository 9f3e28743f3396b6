#include "scratchpage/runtime/models/model_config.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/trimmed.hpp"
#include "scratchpage/runtime/net/http_client/address.hpp"

namespace scratchpage::models {

namespace {

constexpr size_t max_key_bytes = 4'096;

/// Whether the text can be the value of a header: visible characters of ASCII.
bool is_sendable(std::string_view key) {
  return !key.empty() && key.size() <= max_key_bytes
         && std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

caf::expected<std::string> checked_key(std::string_view text, std::string_view field) {
  auto key = trimmed(text);
  if (!is_sendable(key))
    return fail(errc::invalid_request, field,
      "expected a key of visible ASCII characters, at most " + std::to_string(max_key_bytes));
  return std::string{key};
}

caf::expected<std::string> key_in_file(const std::string& path) {
  constexpr auto field = "models.key_file";
  std::ifstream in{path, std::ios::binary};
  if (!in)
    return fail(errc::invalid_request, field, "expected a file that can be read: " + path);
  std::string text(max_key_bytes + 2, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(in.gcount()));
  return checked_key(text, field);
}

} // namespace

caf::error validate(const model_config& x, std::string_view path) {
  constexpr double an_hour = 3'600'000;
  constexpr double many = 1e9;
  return config_check{path}
    .require(x.address.empty() || http_client::read_address(x.address), "address",
      http_client::address_expectation)
    .require(x.address.empty() || !x.model.empty(), "model",
      "the name of a model, since there is an address")
    .require(
      x.key_file.empty() || x.key_env.empty(), "key_env", "no variable, since the key is in a file")
    .range("deadline_ms", x.deadline_ms, 1, an_hour)
    .range("concurrency", x.concurrency, 1, 256)
    .range("max_waiting", x.max_waiting, 0, 100'000)
    .range("attempts", x.attempts, 1, 10)
    .range("tokens_per_turn", static_cast<double>(x.tokens_per_turn), 0, many)
    .range("answer_tokens", x.answer_tokens, 1, 1'000'000)
    .range("sure_from", x.sure_from, 0, 1)
    .error();
}

caf::expected<std::string> read_key(const model_config& x, const variable_reader& variables) {
  if (!x.key_file.empty())
    return key_in_file(x.key_file);
  if (x.key_env.empty())
    return std::string{};
  auto value = variables(x.key_env);
  if (!value)
    return fail(errc::invalid_request, "models.key_env",
      "expected a variable of the environment that is set: " + x.key_env);
  return checked_key(*value, "models.key_env");
}

variable_reader variables_of_process() {
  return [](const std::string& name) -> std::optional<std::string> {
    const auto* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>{value};
  };
}

} // namespace scratchpage::models
