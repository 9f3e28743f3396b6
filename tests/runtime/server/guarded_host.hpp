#pragma once

#include <memory>
#include <string>

#include "scratchpage/runtime/auth/token.hpp"
#include "scratchpage/runtime/auth/token_file.hpp"
#include "scratchpage/runtime/execution/wall_clock.hpp"
#include "scratchpage/runtime/server/service.hpp"
#include "scratchpage/runtime/server/token_door.hpp"
#include "scratchpage/tests/runtime/server/awaited_answer.hpp"
#include "scratchpage/tests/runtime/server/hosted.hpp"

namespace scratchpage::test {

/// A host whose service lets in who has a token, and programs of this machine as long as there
/// were none.
struct guarded_host : hosted {
  /// A token for somebody, as a bearer has it.
  std::string let_in(const std::string& name, role as = role::daemon, bool person = false,
    access::right may = access::right::write, const std::string& agents = "ada") {
    auto made = access::make_token();
    access::token_entry entry;
    entry.id = made->id;
    entry.hash = access::hash_of(made->secret);
    entry.name = name;
    entry.agents = {agents};
    entry.role = as;
    entry.right = may;
    entry.person = person;
    entry.created_at = wall_clock{}.now();
    auto err = tokens.change([&](std::vector<access::token_entry>& all) -> caf::error {
      all.push_back(entry);
      return {};
    });
    BOOST_REQUIRE(!err);
    return access::to_text(*made);
  }

  http::response send(http::request x) {
    auto back = std::make_shared<awaited_answer>();
    service.handle(std::move(x), back);
    return back->get();
  }

  /// A request with its usual headers, by whoever has the token; "": nobody.
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

  /// Agents that have a history.
  size_t agents() const {
    auto all = host->histories().agents();
    return all ? all->size() : 0;
  }

  access::token_file tokens{path() / "tokens.json"};
  std::shared_ptr<access::person_sessions> persons =
    std::make_shared<access::person_sessions>("root");
  serve::token_door door{tokens, std::make_shared<wall_clock>(),
    std::make_unique<serve::open_door>(role::daemon, access::claims::of_programs, persons)};
  serve::service service{*host, door};
};

} // namespace scratchpage::test
