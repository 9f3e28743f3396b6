#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/goal.hpp"
#include "scratchpage/runtime/server/openapi.hpp"
#include "scratchpage/runtime/server/service.hpp"
#include "scratchpage/tests/runtime/server/awaited_answer.hpp"
#include "scratchpage/tests/runtime/server/described_operation.hpp"
#include "scratchpage/tests/runtime/server/hosted.hpp"
#include "scratchpage/tests/runtime/server/schema_values.hpp"

namespace scratchpage::test {

/// Everything random is drawn from it.
inline constexpr uint64_t seed = 20'251'105;

std::string replaced(std::string text, const std::string& what, const std::string& by);

/// A request for people, not too long.
std::string shown(const http::request& x);

std::string header_of(const http::response& x, std::string_view name);

/// The field that an error names, or "".
std::string field_of_refusal(const http::response& x);

/// A service in this process, and what is asked and expected of it after its document.
struct documented_service : hosted {
  documented_service();
  ~documented_service();

  /// Sends it; somebody may wait for the answer.
  std::shared_ptr<awaited_answer> begin(const http::request& x);
  http::response send(const http::request& x) { return begin(x)->get(); }

  /// What an agent may be asked about. Turns take their time: only where one is needed.
  schema_values::known_values settle_in(const std::string& agent_id, bool with_turn = false);

  /// Of the last change of an agent's page.
  uint64_t sequence(const std::string& agent_id);

  /// `least`: with nothing in the query string that need not be there.
  static http::request request(
    const described_operation& x, schema_values& values, bool least, std::string body = {});

  /// A request that is done.
  static http::request usual(const described_operation& x, schema_values& values);

  /// Not the server's fault, and as the document says.
  void check_described(
    const described_operation& x, const http::request& asked, const http::response& got) const;

  /// Refused, and by name: of what is at a path, or of its parent if there is one.
  void check_refused(const described_operation& x, const http::request& asked,
    const http::response& got, const std::string& at, const std::string& parent = {}) const;

  void let_go(const http::request& asked, const http::response& got);

  /// Sends it. `is_wrong`: must be refused; else it may be, by name; `at` "" is any.
  void check(const described_operation& x, const http::request& asked, const std::string& at,
    bool is_wrong, const std::string& parent = {});

  serve::open_door door{role::admin, access::claims::of_anybody};
  serve::service service{*host, door};
  const json::value document = serve::openapi_document();
  const std::vector<described_operation> operations = operations_of(document);
  size_t requests = 0;

private:
  caf::expected<goal> add_goal(const std::string& agent_id);
};

} // namespace scratchpage::test
