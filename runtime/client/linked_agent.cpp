#include "scratchpage/runtime/client/linked_agent.hpp"

#include <chrono>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/runtime/auth/caller_claim.hpp"
#include "scratchpage/runtime/client/event_follower.hpp"
#include "scratchpage/runtime/net/http/target.hpp"

namespace scratchpage::client {

namespace {

constexpr timespan link_timeout = std::chrono::seconds{10};
constexpr std::string_view plain = "http://";
constexpr std::string_view secure = "https://";

/// Without a token, a server on the network does not accept a person.
caller as_program(const caller& x) {
  return x.kind == source_kind::user ? as_daemon(x.name) : x;
}

} // namespace

std::string rpc_target_of(
  const std::string& agent_id, const std::string& thread_id, open_mode what) {
  return "/rpc?agent=" + http::percent_encode(agent_id)
         + "&thread=" + http::percent_encode(thread_id)
         + "&make=" + (what == open_mode::create ? "true" : "false");
}

caf::error set_server(std::string_view url, endpoint& to) {
  auto refuse = [&] {
    return fail(errc::invalid_request, "--server",
      "expected http://HOST:PORT or https://HOST:PORT, got '" + std::string{url} + "'");
  };
  to.tls = url.starts_with(secure);
  if (!to.tls && !url.starts_with(plain))
    return refuse();
  auto authority = url.substr(to.tls ? secure.size() : plain.size());
  if (authority.ends_with('/'))
    authority.remove_suffix(1);
  auto colon = authority.rfind(':');
  if (authority.ends_with(']') || colon == std::string_view::npos) {
    to.host = authority;
    to.port = to.tls ? "443" : "80";
  } else {
    to.host = authority.substr(0, colon);
    to.port = authority.substr(colon + 1);
  }
  if (to.host.starts_with('[') && to.host.ends_with(']'))
    to.host = to.host.substr(1, to.host.size() - 2);
  auto is_number = !to.port.empty() && to.port.find_first_not_of("0123456789") == std::string::npos;
  auto is_host = !to.host.empty() && to.host.find_first_of("/?#@ ") == std::string::npos;
  return is_number && is_host ? caf::error{} : refuse();
}

caf::expected<std::unique_ptr<linked_agent>> linked_agent::open(
  const linked_agent_setup& setup, link::listener tell) {
  endpoint to;
  if (auto err = set_server(setup.url, to))
    return err;
  to.ca_file = setup.ca_file;
  to.target = rpc_target_of(setup.agent_id, setup.thread_id, setup.what);
  if (!setup.token.empty())
    to.headers.emplace_back("Authorization", "Bearer " + setup.token);
  else
    to.headers.emplace_back("Scratchpage-Caller", auth::claim_of(as_program(setup.by)));
  auto opened = link::open(to, link_timeout, std::move(tell));
  if (!opened)
    return opened.error();
  return std::unique_ptr<linked_agent>{new linked_agent{std::move(to), std::move(*opened)}};
}

void linked_agent::start(std::string operation, json::object arguments, on_answer then) {
  link_->call_for_text(std::move(operation), std::move(arguments), std::move(then));
}

caf::expected<std::unique_ptr<subscription>> linked_agent::follow(
  follow_order order, event_listener tell) {
  return event_follower::begin(to_, std::move(order), std::move(tell));
}

} // namespace scratchpage::client
