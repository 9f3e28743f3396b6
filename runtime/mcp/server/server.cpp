#include "scratchpage/runtime/mcp/server/server.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/runtime/mcp/protocol/protocol.hpp"

namespace scratchpage::mcp {

namespace {

/// Longer than any meaningful `traceparent`.
constexpr size_t max_traceparent_bytes = 256;

/// Those of `client_capabilities` that a client has.
std::set<std::string_view> known_capabilities(const json::object* given) {
  std::set<std::string_view> result;
  for (auto name : client_capabilities)
    if (given != nullptr && object_in(*given, name) != nullptr)
      result.insert(name);
  return result;
}

/// The definition with that name; null: there is none.
const json::object* named(const json::array& in, std::string_view name) {
  for (const auto& x : in)
    if (x.is_object() && text_in(x.get_object(), "name") == name)
      return &x.get_object();
  return nullptr;
}

/// The arguments of a call; an empty object if there are none; null if they are no object.
const json::object* arguments_of(const call& x) {
  static const json::object none;
  const auto* given = member(x.params(), "arguments");
  return given == nullptr ? &none : given->if_object();
}

/// The name of a required argument of a prompt that is missing; "": none is.
std::string missing_argument(const json::object& prompt, const json::object& given) {
  const auto* all = member(prompt, "arguments");
  if (all == nullptr || !all->is_array())
    return {};
  for (const auto& x : all->get_array()) {
    const auto* required = member(x.get_object(), "required");
    auto name = text_in(x.get_object(), "name").value_or("");
    if (required != nullptr && *required == true && !text_in(given, name))
      return name;
  }
  return {};
}

} // namespace

/// A method, the generations of the protocol that have it, and the capability that it needs.
struct server::method {
  std::string_view name;
  bool legacy;
  bool modern;
  std::string_view capability; ///< "": none
  void (server::*run)(const call_ptr&);
};

const server::method* server::find(const call& x) {
  static constexpr std::array methods{
    method{"initialize", true, false, "", &server::initialize},
    method{"ping", true, false, "", &server::ping},
    method{"server/discover", false, true, "", &server::discover},
    method{"logging/setLevel", true, false, "logging", &server::set_level},
    method{"resources/subscribe", true, false, "resources", &server::subscribe},
    method{"resources/unsubscribe", true, false, "resources", &server::unsubscribe},
    method{"subscriptions/listen", false, true, "", &server::listen},
    method{"tools/list", true, true, "tools", &server::list_tools},
    method{"tools/call", true, true, "tools", &server::call_tool},
    method{"resources/list", true, true, "resources", &server::list_resources},
    method{"resources/templates/list", true, true, "resources", &server::list_templates},
    method{"resources/read", true, true, "resources", &server::read_resource},
    method{"prompts/list", true, true, "prompts", &server::list_prompts},
    method{"prompts/get", true, true, "prompts", &server::get_prompt},
    method{"completion/complete", true, true, "completions", &server::complete},
    method{"tasks/get", false, true, "", &server::get_task},
    method{"tasks/update", false, true, "", &server::update_task},
    method{"tasks/cancel", false, true, "", &server::cancel_task},
  };
  const auto* found = std::find_if(methods.begin(), methods.end(),
    [&](const method& m) { return m.name == x.method() && (x.is_modern() ? m.modern : m.legacy); });
  return found != methods.end() ? found : nullptr;
}

bool server::serves(const method& x) const {
  if (x.run == &server::subscribe || x.run == &server::unsubscribe)
    return can_subscribe(capabilities_);
  if (x.name.starts_with("tasks/"))
    return offers_->has_tasks();
  return x.capability.empty() || capabilities_.contains(view(x.capability));
}

server::server(std::shared_ptr<strand> on, std::shared_ptr<provider> offers, server_config config)
  : offers_{std::move(offers)},
    config_{std::move(config)},
    parts_{std::make_shared<call_parts>()},
    places_{std::make_shared<resource_places>(config_.max_uris_of_client)},
    listening_{offers_, places_, config_.max_listening, config_.max_uris},
    capabilities_{offers_->capabilities()} {
  parts_->on = std::move(on);
  parts_->server_info = offers_->server_info();
  parts_->timeout = config_.timeout;
  if (!offers_->has_tasks())
    return;
  auto has_memory = [check = config_.check_memory] { return !check || !check(); };
  parts_->tasks = std::make_shared<task_table>(task_table::setup{parts_->on, config_.timeout,
    config_.max_tasks_of_client, config_.max_tasks, std::move(has_memory)});
  listening_.use(parts_->tasks);
}

server::~server() {
  if (parts_->tasks)
    parts_->tasks->close();
}

void server::handle(call::setup x) {
  auto back = x.back;
  // What all transports pass in this way: the trace that the request belongs to, and its key.
  if (const auto* meta = object_in(x.asked.params, "_meta")) {
    if (auto traceparent = text_in(*meta, "traceparent"))
      x.who.traceparent = *traceparent;
    if (member(*meta, meta::request_key)
        != nullptr) // a key that is no text is refused as an empty one
      x.who.request_key = text_in(*meta, meta::request_key).value_or("");
  }
  if (x.who.traceparent.size() > max_traceparent_bytes)
    x.who.traceparent.clear();
  auto by = std::make_shared<call>(parts_, std::move(x));
  if (by->in() && !by->in()->enter(by->id(), by)) {
    back->finish(json_rpc::refuse(by->id(), json_rpc::code::invalid_request,
      "id: expected one that is not in use, and at most " + std::to_string(max_in_session)
        + " requests at a time"));
    return;
  }
  back->on_gone([weak = std::weak_ptr{by}] {
    if (auto one = weak.lock())
      one->cancel();
  });
  const auto* found = find(*by);
  if (found == nullptr || !serves(*found))
    return by->refuse({static_cast<int32_t>(json_rpc::code::method_not_found),
      "no such method: " + shown_name(by->method()), {}});
  (this->*found->run)(by);
}

std::optional<error> server::refuse_to_keep() const {
  auto why = config_.check_memory ? config_.check_memory() : caf::error{};
  if (!why)
    return std::nullopt;
  auto result = internal_error(describe(why));
  result.data = to_json(why);
  return result;
}

void server::take_notification(const json_rpc::request& x, session& from) {
  if (x.method != "notifications/cancelled")
    return;
  if (const auto* id = member(x.params, "requestId"); id != nullptr)
    from.cancel(*id);
}

// -- the beginning ---------------------------------------------------------------------

void server::initialize(const call_ptr& by) {
  auto wanted = text_in(by->params(), "protocolVersion");
  if (!wanted)
    return by->refuse(invalid_params("protocolVersion: expected a text"));
  const auto& known = legacy_versions;
  const auto* agreed = std::find(known.begin(), known.end(), *wanted);
  auto version = agreed != known.end() ? *agreed : known.front();
  if (const auto& in = by->in()) {
    in->version = std::string{version};
    const auto* can = object_in(by->params(), "capabilities");
    const auto* elicitation = can != nullptr ? object_in(*can, "elicitation") : nullptr;
    in->can = known_capabilities(can);
    in->shows_forms = elicitation != nullptr && can_show_forms(*elicitation);
    in->wanted = changes_of_lists(capabilities_);
    in->places.clear();
    follow(by->who(), in);
  }
  json::object result{{"protocolVersion", view(version)}, {"capabilities", capabilities_},
    {"serverInfo", parts_->server_info}};
  if (auto text = offers_->instructions_for(by->who()); !text.empty())
    result["instructions"] = text;
  by->give(std::move(result));
}

void server::ping(const call_ptr& by) {
  by->give({});
}

void server::discover(const call_ptr& by) {
  auto capabilities = capabilities_;
  if (offers_->has_tasks())
    capabilities["extensions"] = json::object{{view(tasks_extension), json::object{}}};
  json::object result{
    {"supportedVersions", {view(modern_version)}}, {"capabilities", std::move(capabilities)}};
  if (auto text = offers_->instructions_for(by->who()); !text.empty())
    result["instructions"] = text;
  by->give(std::move(result));
}

void server::set_level(const call_ptr& by) {
  auto level = text_in(by->params(), "level");
  auto least = log_level::debug;
  if (!level || !from_string(*level, least))
    return by->refuse(invalid_params("level: expected one of " + all_names<log_level>()));
  if (by->in())
    by->in()->least = least;
  by->give({});
}

// -- changes -------------------------------------------------------------------------

/// Notifies a session of the changes that it wants, from now on.
void server::follow(const principal& who, const std::shared_ptr<session>& x) {
  auto* feed = offers_->changes();
  if (feed == nullptr)
    return;
  auto then = [weak = std::weak_ptr{x}](const change& what) {
    if (auto to = weak.lock())
      to->announce(what);
  };
  x->subscription = x->wanted.empty() ? nullptr : feed->subscribe(who, x->wanted, then);
}

void server::subscribe(const call_ptr& by) {
  auto uri = text_in(by->params(), "uri");
  if (!uri || uri->size() > subscription_limits::uri_bytes)
    return by->refuse(invalid_params("uri: expected an address of at most "
                                     + std::to_string(subscription_limits::uri_bytes) + " bytes"));
  if (!offers_->is_resource(*uri))
    return by->refuse_resource(*uri);
  if (auto why = offers_->check_reader(by->who(), *uri))
    return by->refuse(*why);
  if (!by->in() || by->in()->wanted.uris.contains(*uri) || add_subscription(by, *uri))
    by->give({});
}

/// False if the subscription was refused.
bool server::add_subscription(const call_ptr& by, const std::string& uri) {
  auto& in = *by->in();
  auto why = refuse_to_keep();
  if (!why && in.wanted.uris.size() >= config_.max_uris)
    why = internal_error("too many subscriptions");
  auto place = why ? nullptr : places_->take(by->who().by, 1);
  if (!why && !place)
    why = internal_error("uri: " + places_->refusal(by->who().by));
  if (why) {
    by->refuse(*why);
    return false;
  }
  in.places.push_back(std::move(place));
  in.wanted.uris.insert(uri);
  follow(by->who(), by->in());
  return true;
}

void server::unsubscribe(const call_ptr& by) {
  auto uri = text_in(by->params(), "uri");
  if (!uri)
    return by->refuse(invalid_params("uri: expected an address"));
  if (const auto& in = by->in(); in && in->wanted.uris.erase(*uri) > 0) {
    in->places.pop_back();
    follow(by->who(), in);
  }
  by->give({});
}

void server::listen(const call_ptr& by) {
  if (auto why = refuse_to_keep())
    return by->refuse(*why);
  listening_.begin(by);
}

// -- tools, resources, prompts -------------------------------------------------------

void server::list_tools(const call_ptr& by) {
  by->give({{"tools", offers_->tools_for(by->who())}});
}

void server::call_tool(const call_ptr& by) {
  auto name = text_in(by->params(), "name");
  if (!name || named(offers_->tools_for(by->who()), *name) == nullptr)
    return by->refuse(
      invalid_params(name ? offers_->unknown_tool(by->who(), *name) : "name: expected a text"));
  const auto* arguments = arguments_of(*by);
  if (arguments == nullptr)
    return by->refuse(invalid_params("arguments: expected an object"));
  if (auto wrong = by->is_modern() ? by->read_input() : std::nullopt)
    return by->refuse(*wrong);
  offers_->call_tool(*name, *arguments, by);
}

void server::list_resources(const call_ptr& by) {
  by->give({{"resources", offers_->resources()}});
}

void server::list_templates(const call_ptr& by) {
  by->give({{"resourceTemplates", offers_->resource_templates()}});
}

void server::read_resource(const call_ptr& by) {
  auto uri = text_in(by->params(), "uri");
  if (!uri)
    return by->refuse(invalid_params("uri: expected a text"));
  if (auto wrong = by->is_modern() ? by->read_input() : std::nullopt)
    return by->refuse(*wrong);
  offers_->read_resource(*uri, by);
}

void server::list_prompts(const call_ptr& by) {
  by->give({{"prompts", offers_->prompts()}});
}

void server::get_prompt(const call_ptr& by) {
  auto name = text_in(by->params(), "name");
  const auto* prompt = name ? named(offers_->prompts(), *name) : nullptr;
  if (prompt == nullptr)
    return by->refuse(
      invalid_params(name ? "no such prompt: " + shown_name(*name) : "name: expected a text"));
  const auto* arguments = arguments_of(*by);
  if (arguments == nullptr)
    return by->refuse(invalid_params("arguments: expected an object"));
  if (auto missing = missing_argument(*prompt, *arguments); !missing.empty())
    return by->refuse(invalid_params("arguments." + missing + ": expected a text"));
  if (auto wrong = by->is_modern() ? by->read_input() : std::nullopt)
    return by->refuse(*wrong);
  offers_->get_prompt(*name, *arguments, by);
}

void server::complete(const call_ptr& by) {
  if (object_in(by->params(), "ref") == nullptr || object_in(by->params(), "argument") == nullptr)
    return by->refuse(invalid_params("ref, argument: expected objects"));
  offers_->complete(by->params(), by);
}

} // namespace scratchpage::mcp
