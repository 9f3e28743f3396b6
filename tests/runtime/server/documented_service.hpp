#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/goal.hpp"
#include "scratchpage/runtime/server/rest.hpp"
#include "scratchpage/runtime/server/service.hpp"
#include "scratchpage/tests/runtime/server/awaited_answer.hpp"
#include "scratchpage/tests/runtime/server/described_operation.hpp"
#include "scratchpage/tests/runtime/server/hosted.hpp"
#include "scratchpage/tests/runtime/server/schema_values.hpp"

namespace scratchpage::test {

/// The seed of all random choices.
inline constexpr uint64_t seed = 20'251'105;

std::string replaced(std::string text, const std::string& what, const std::string& by);

/// A request as a readable text, shortened.
std::string shown(const http::request& x);

std::string header_of(const http::response& x, std::string_view name);

/// The field of an error answer, or "".
std::string field_of_refusal(const http::response& x);

/// A service in this process, with requests and checks that are derived from its OpenAPI
/// document.
struct documented_service : hosted {
  documented_service();
  ~documented_service();

  /// Sends a request without waiting for the answer.
  std::shared_ptr<awaited_answer> begin(const http::request& x);
  http::response send(const http::request& x) { return begin(x)->get(); }

  /// Creates an agent with content. Returns valid values for parameters and members. A turn takes
  /// time, so it is only created if `with_turn`; it stays open if it `is_held`.
  schema_values::known_values settle_in(
    const std::string& agent_id, bool with_turn = false, bool is_held = false);

  /// The sequence of the last change of an agent's page.
  uint64_t sequence(const std::string& agent_id);

  /// A request of the operation. `least`: without optional parameters in the query string.
  static http::request request(
    const described_operation& x, schema_values& values, bool least, std::string body = {});

  /// A valid request of the operation.
  static http::request usual(const described_operation& x, schema_values& values);

  /// Tests that the answer is no server error, and as the document describes it.
  void check_described(
    const described_operation& x, const http::request& asked, const http::response& got) const;

  /// Tests that the request was refused with an error that names the part `at`, or `parent` if
  /// that is not "".
  void check_refused(const described_operation& x, const http::request& asked,
    const http::response& got, const std::string& at, const std::string& parent = {}) const;

  void let_go(const http::request& asked, const http::response& got);

  /// Sends a request and tests the answer. If `is_wrong`, it must be refused; otherwise it may
  /// be. An error must name `at`, unless that is "".
  void check(const described_operation& x, const http::request& asked, const std::string& at,
    bool is_wrong, const std::string& parent = {});

  auth::trusting_authenticator door{role::admin, auth::claims::of_anybody};
  server::service service{*host, door};
  const json::value document = server::openapi_document();
  const std::vector<described_operation> operations = operations_of(document);
  size_t requests = 0;

private:
  caf::expected<goal> add_goal(const std::string& agent_id);
};

} // namespace scratchpage::test
