#include "scratchpage/runtime/mcp/server/call.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/persistence/files/base64.hpp"
#include "scratchpage/runtime/auth/token.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"

namespace scratchpage::mcp {

namespace {

constexpr size_t max_bytes = 256u << 10;
constexpr char between = '.';

const unsigned char* bytes_of(std::string_view x) {
  return reinterpret_cast<const unsigned char*>(x.data());
}

constexpr std::array<std::string_view, 6> cacheable{"server/discover", "tools/list", "prompts/list",
  "resources/list", "resources/templates/list", "resources/read"};

bool is_cacheable(std::string_view method) {
  return std::find(cacheable.begin(), cacheable.end(), method) != cacheable.end();
}

} // namespace

request_state::request_state() {
  auth::fill_random(key_);
}

std::string request_state::seal(const json::object& content, std::string_view of) const {
  auto text = to_base64(to_text(json::value(content)));
  return text + between + to_base64(mac(text, of));
}

std::optional<json::object> request_state::open(
  std::string_view sealed, std::string_view of) const {
  auto at = sealed.find(between);
  if (sealed.size() > max_bytes || at == std::string_view::npos)
    return std::nullopt;
  auto text = sealed.substr(0, at);
  auto given = sealed.substr(at + 1);
  auto expected = to_base64(mac(text, of));
  if (given.size() != expected.size()
      || CRYPTO_memcmp(given.data(), expected.data(), expected.size()) != 0)
    return std::nullopt;
  auto content = from_base64(text);
  if (!content)
    return std::nullopt;
  auto value = parse_json(*content);
  if (!value || !value->is_object())
    return std::nullopt;
  return std::move(value->get_object());
}

std::string request_state::mac(std::string_view content, std::string_view of) const {
  // The content does not have this character, so its end is unambiguous.
  auto whole = std::string{content} + between + std::string{of};
  std::string result(EVP_MAX_MD_SIZE, '\0');
  unsigned int size = 0;
  HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()), bytes_of(whole), whole.size(),
    reinterpret_cast<unsigned char*>(result.data()), &size);
  result.resize(size);
  return result;
}

bool call::client_can(std::string_view capability) const {
  if (!is_modern())
    return x_.in && x_.in->can.contains(capability);
  return object_in(x_.said.capabilities, capability) != nullptr;
}

bool call::client_shows_forms() const {
  if (!is_modern())
    return x_.in && x_.in->shows_forms;
  const auto* elicitation = object_in(x_.said.capabilities, "elicitation");
  return elicitation != nullptr && can_show_forms(*elicitation);
}

bool call::require(std::string_view capability) {
  if (client_can(capability))
    return true;
  auto message = "the client cannot do this: " + std::string{capability};
  if (is_modern())
    refuse({missing_capability, message,
      json::object{{"requiredCapabilities", {{view(capability), json::object{}}}}}});
  else
    refuse(invalid_params(message));
  return false;
}

void call::progress(double done, std::optional<double> of, std::string_view message) {
  if (x_.said.progress_token.is_null())
    return;
  json::object params{{"progressToken", x_.said.progress_token}, {"progress", done}};
  if (of)
    params["total"] = *of;
  if (!message.empty())
    params["message"] = view(message);
  notify("notifications/progress", std::move(params));
}

void call::log(log_level level, const json::value& data, std::string_view logger) {
  auto least = is_modern() || !x_.in ? x_.said.least : std::optional{x_.in->least};
  if (!least || level < *least)
    return;
  json::object params{{"level", view(name_of(level))}, {"data", data}};
  if (!logger.empty())
    params["logger"] = view(logger);
  notify("notifications/message", std::move(params));
}

void call::stay_open() {
  stays_open_ = true;
  x_.asked.params = json::object{};
  x_.said.capabilities = json::object{};
  x_.back->stay_open();
}

/// Tasks have no notifications but those of their state.
void call::notify(std::string_view method, json::object params) {
  if (!over_ && !task_)
    x_.back->send({{"jsonrpc", "2.0"}, {"method", view(method)}, {"params", std::move(params)}});
}

// -- the end of the call -------------------------------------------------------------------------

bool call::end_once() {
  if (std::exchange(over_, true))
    return false;
  if (x_.in)
    x_.in->leave(id());
  when_cancelled_.clear();
  return true;
}

/// A modern result says what kind of result it is, and whose.
json::object call::as_result(json::object x) const {
  if (!is_modern())
    return x;
  if (!x.contains("resultType"))
    x["resultType"] = "complete";
  if (is_cacheable(method()) && x.at("resultType") == "complete") {
    x.emplace("ttlMs", 0);
    x.emplace("cacheScope", "private");
  }
  auto& meta = x["_meta"];
  if (!meta.is_object())
    meta.emplace_object();
  meta.get_object()[view(meta::server_info)] = parts_->server_info;
  return x;
}

void call::give(json::object result) {
  auto self = shared_from_this(); // hooks may hold the last reference
  if (!end_once())
    return;
  if (task_)
    return task_->complete(to_text(json::value(as_result(std::move(result)))));
  x_.back->finish(json_rpc::answer(id(), as_result(std::move(result))));
}

void call::give_members(std::string members) {
  auto self = shared_from_this();
  if (!end_once())
    return;
  if (is_modern()) {
    json::object meta{{view(meta::server_info), parts_->server_info}};
    members += R"(,"resultType":"complete","_meta":)";
    members += to_text(meta);
  }
  members.insert(0, 1, '{').push_back('}');
  if (task_)
    return task_->complete(std::move(members));
  x_.back->finish(json_rpc::answer_text(id(), members));
}

void call::refuse(const error& why) {
  auto self = shared_from_this();
  if (!end_once())
    return;
  if (task_)
    return task_->fail(why);
  x_.back->finish(refusal(id(), why));
}

void call::refuse_resource(const std::string& uri) {
  auto why = invalid_params("no such resource: " + shown_name(uri));
  if (!is_modern())
    why.code = resource_not_found_legacy;
  why.data = json::object{{"uri", uri}};
  refuse(why);
}

void call::cancel() {
  auto self = shared_from_this();
  auto then = std::exchange(when_cancelled_, {});
  if (!end_once())
    return;
  for (const auto& x : then)
    x();
  if (task_)
    return task_->cancel();
  x_.back->end();
}

// -- tasks -----------------------------------------------------------------------------

bool call::declares_tasks() const {
  return is_modern() && has_tasks_extension(x_.said.capabilities);
}

bool call::takes_task() const {
  return declares_tasks() && method() == "tools/call";
}

bool call::require_task() {
  if (takes_task())
    return true;
  refuse(is_modern() ? missing_tasks_extension()
                     : invalid_params("the tool needs a client with tasks of 2026-07-28"));
  return false;
}

bool call::become_task(std::string message) {
  if (over_ || task_ || !parts_->tasks || !takes_task())
    return false;
  task_ = parts_->tasks->begin(x_.who);
  if (!task_)
    return false;
  task_->say(std::move(message));
  task_->on_cancel([weak = weak_from_this()] {
    if (auto self = weak.lock())
      self->cancel();
  });
  x_.asked.params = json::object{}; // they may be long
  if (x_.in)
    x_.in->leave(id());
  auto begun = task_->summary();
  begun["resultType"] = "task";
  x_.back->finish(json_rpc::answer(id(), as_result(std::move(begun))));
  x_.back.reset();
  return true;
}

void call::say_if_cancelled(std::string message) {
  on_cancel([to = task_, message = std::move(message)] { to->say(message); });
}

// -- asking the client ---------------------------------------------------------------

std::optional<error> call::read_input() {
  auto given = answers_in(params());
  if (auto* wrong = std::get_if<error>(&given))
    return std::move(*wrong);
  arrived_ = std::move(std::get<answers>(given));
  const auto* state = member(params(), "requestState");
  if (state == nullptr)
    return std::nullopt;
  auto content =
    state->is_string() ? parts_->states.open(text_of(*state), identity()) : std::nullopt;
  const auto* until = content ? member(*content, "until") : nullptr;
  const auto* earlier = content ? object_in(*content, "answers") : nullptr;
  if (until == nullptr || earlier == nullptr)
    return invalid_params("requestState: expected the state that was given for this request");
  if (until->to_number<int64_t>() < parts_->on->now().time_since_epoch().count())
    return invalid_params("requestState: expected a state that has not expired");
  for (const auto& [name, x] : *earlier)
    known_.emplace(name, x.get_object());
  if (const auto* kept = object_in(*content, "kept"))
    kept_ = *kept;
  has_state_ = true;
  return std::nullopt;
}

/// Identifies the request that a state belongs to: the same request of the same client.
std::string call::identity() const {
  json::array parts{method(), x_.who.by.name, x_.who.agent_id, x_.who.thread_id};
  for (const auto* name : {"name", "uri", "arguments"}) {
    const auto* x = member(params(), name);
    parts.push_back(x != nullptr ? *x : json::value{});
  }
  return to_text(json::value(std::move(parts)));
}

void call::ask(
  const questions& what, const std::function<void(const answers&)>& then, first_round sealing) {
  for (const auto& [name, x] : what)
    if (over_ || !require(capability_for(x)))
      return;
  if (task_)
    ask_by_task(what, then);
  else if (is_modern())
    ask_by_result(what, then, sealing);
  else
    ask_by_requests(what, then);
}

void call::ask_by_result(
  const questions& what, const std::function<void(const answers&)>& then, first_round sealing) {
  auto take_arrived = sealing == first_round::open || has_state_;
  answers have;
  questions missing;
  for (const auto& [name, x] : what) {
    auto earlier = known_.find(name);
    auto arrived = arrived_.find(name);
    if (earlier != known_.end())
      have.insert(*earlier);
    else if (take_arrived && arrived != arrived_.end() && fits(x, arrived->second))
      have.insert(*arrived);
    else
      missing.emplace(name, x);
  }
  known_.insert(have.begin(), have.end());
  if (missing.empty())
    return then(have);
  json::object result{{"resultType", "input_required"}, {"inputRequests", requests_of(missing)}};
  if (sealing == first_round::sealed || !known_.empty())
    result["requestState"] = parts_->states.seal(sealed(known_), identity());
  give(std::move(result));
}

json::object call::sealed(const answers& partly) const {
  json::object earlier;
  for (const auto& [name, x] : partly)
    earlier[name] = x;
  auto until = parts_->on->now() + parts_->timeout;
  json::object result{{"until", until.time_since_epoch().count()}, {"answers", std::move(earlier)}};
  if (kept_)
    result["kept"] = *kept_;
  return result;
}

void call::ask_by_task(const questions& what, const std::function<void(const answers&)>& then) {
  task_->ask(what, [self = shared_from_this(), then, all = what.size()](const answers& got) {
    if (got.size() == all)
      then(got);
    else
      self->refuse(internal_error("the client did not answer in time"));
  });
}

void call::ask_by_requests(const questions& what, const std::function<void(const answers&)>& then) {
  if (what.empty())
    return then({});
  auto gathered = std::make_shared<answers>();
  for (const auto& [name, x] : what) {
    auto take = [self = shared_from_this(), gathered, name = name, x = x, then, all = what.size()](
                  const std::variant<json::value, error>& reply) {
      const auto* value = std::get_if<json::value>(&reply);
      if (value == nullptr)
        return self->refuse(std::get<error>(reply));
      if (!value->is_object() || !fits(x, value->get_object()))
        return self->refuse(
          internal_error("the client's answer does not fit the question: " + name));
      gathered->emplace(name, value->get_object());
      if (gathered->size() == all && !self->is_over())
        then(*gathered);
    };
    auto number = x_.in->ask(x.method, x.params, *x_.back, parts_->timeout, std::move(take));
    on_cancel([in = x_.in, number] { in->forget(number); });
  }
}

void call::ask_if_possible(
  const questions& what, json::object keep, const std::function<void(const answers&)>& then) {
  if (over_)
    return;
  for (const auto& [name, x] : what)
    if (!client_can(capability_for(x)))
      return then({});
  if (task_)
    return task_->ask(what, then);
  if (!is_modern())
    return request_if_possible(what, then);
  kept_ = std::move(keep);
  give({{"resultType", "input_required"}, {"inputRequests", requests_of(what)},
    {"requestState", parts_->states.seal(sealed(known_), identity())}});
}

void call::request_if_possible(
  const questions& what, const std::function<void(const answers&)>& then) {
  struct round {
    size_t open;
    answers got;
  };
  auto all = std::make_shared<round>(round{what.size(), {}});
  for (const auto& [name, x] : what) {
    auto take = [self = shared_from_this(), all, name = name, x = x, then](
                  const std::variant<json::value, error>& reply) {
      const auto* value = std::get_if<json::value>(&reply);
      if (value != nullptr && value->is_object() && fits(x, value->get_object()))
        all->got.emplace(name, value->get_object());
      if (--all->open == 0 && !self->is_over())
        then(all->got);
    };
    auto number = x_.in->ask(x.method, x.params, *x_.back, parts_->timeout, std::move(take));
    on_cancel([in = x_.in, number] { in->forget(number); });
  }
}

} // namespace scratchpage::mcp
