#pragma once

#include <memory>
#include <string>

#include "scratchpage/runtime/auth/authenticator.hpp"
#include "scratchpage/runtime/auth/token.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/server/service.hpp"
#include "scratchpage/tests/runtime/server/awaited_answer.hpp"
#include "scratchpage/tests/runtime/server/hosted.hpp"

namespace scratchpage::test {

/// A host whose service requires tokens. Before the first token is created, programs of this
/// machine have access without one.
struct guarded_host : hosted {
  /// Creates a token with that name. Returns its text.
  std::string let_in(const std::string& name, role as = role::daemon, bool person = false,
    auth::right may = auth::right::write, const std::string& agents = "ada") {
    auto made = auth::make_token();
    auth::token_entry entry;
    entry.id = made->id;
    entry.hash = auth::hash_of(made->secret);
    entry.name = name;
    entry.agents = {agents};
    entry.role = as;
    entry.right = may;
    entry.person = person;
    entry.created_at = wall_clock{}.now();
    auto err = tokens.change([&](std::vector<auth::token_entry>& all) -> caf::error {
      all.push_back(entry);
      return {};
    });
    BOOST_REQUIRE(!err);
    return auth::to_text(*made);
  }

  http::response send(http::request x) {
    auto back = std::make_shared<awaited_answer>();
    service.handle(std::move(x), back);
    return back->get();
  }

  /// A request with the usual headers and the token, if it is not "".
  static http::request request(const std::string& method, const std::string& path,
    const std::string& token = {}, std::string body = {}) {
    http::request x;
    x.method = method;
    auto question = path.find('?');
    x.path = path.substr(0, question);
    x.query = question == std::string::npos ? "" : path.substr(question + 1);
    x.headers = {{"host", "localhost"}, {"content-type", "application/json"}};
    if (!token.empty())
      x.headers.push_back({"authorization", "Bearer " + token});
    x.body = std::move(body);
    return x;
  }

  /// Number of agents with a history.
  size_t agents() const {
    auto all = host->histories().agents();
    return all ? all->size() : 0;
  }

  auth::token_file tokens{path() / "tokens.json"};
  std::shared_ptr<auth::person_sessions> persons = std::make_shared<auth::person_sessions>("root");
  auth::token_authenticator door{tokens, std::make_shared<wall_clock>(),
    std::make_unique<auth::trusting_authenticator>(
      role::daemon, auth::claims::of_programs, persons)};
  server::service service{*host, door};
};

} // namespace scratchpage::test
