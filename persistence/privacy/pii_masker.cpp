#include "scratchpage/persistence/privacy/pii_masker.hpp"

#include <algorithm>

namespace scratchpage {

namespace {

std::string_view view_of(json::string_view x) {
  return {x.data(), x.size()};
}

json::string_view view_of(const std::string& x) {
  return {x.data(), x.size()};
}

/// `name`, or with a number behind it if `x` has such a member already.
std::string free_name(const json::object& x, const std::string& name) {
  auto result = name;
  for (size_t n = 2; x.contains(view_of(result)); ++n)
    result = name + " (" + std::to_string(n) + ")";
  return result;
}

} // namespace

std::string pii_masker::mask(std::string_view text) const {
  std::string result;
  size_t from = 0;
  for (const auto& x : detector_.find(text)) {
    result.append(text.substr(from, x.offset - from))
      .append("[")
      .append(name_of(x.kind))
      .append("]");
    from = x.offset + x.length;
  }
  return result.append(text.substr(from));
}

void pii_masker::mask(json::value& x) const {
  mask(x, 0);
}

void pii_masker::mask(json::object& x) const {
  mask(x, 0);
}

void pii_masker::mask(json::value& x, size_t depth) const {
  if (auto* text = x.if_string()) {
    auto view = view_of(json::string_view{*text});
    if (detector_.finds_any(view))
      *text = view_of(mask(view));
  } else if (x.is_structured() && depth == max_depth) {
    x = nullptr;
  } else if (auto* list = x.if_array()) {
    for (auto& entry : *list)
      mask(entry, depth + 1);
  } else if (auto* object = x.if_object()) {
    mask(*object, depth);
  }
}

void pii_masker::mask(json::object& x, size_t depth) const {
  mask_names(x);
  for (auto& member : x)
    mask(member.value(), depth + 1);
}

void pii_masker::mask_names(json::object& x) const {
  auto holds_some = [this](
                      const auto& member) { return detector_.finds_any(view_of(member.key())); };
  if (std::none_of(x.begin(), x.end(), holds_some))
    return;
  json::object result{x.storage()};
  for (auto& member : x) {
    auto name = free_name(result, mask(view_of(member.key())));
    result.emplace(view_of(name), std::move(member.value()));
  }
  x = std::move(result);
}

void pii_masker::mask(std::vector<std::string>& tags) const {
  if (!finds_any(tags))
    return;
  std::vector<std::string> result;
  for (const auto& tag : tags)
    if (auto masked = mask(tag); std::find(result.begin(), result.end(), masked) == result.end())
      result.push_back(std::move(masked));
  tags = std::move(result);
}

void pii_masker::mask(observation& x) const {
  x.content = mask(x.content);
  mask(x.tags);
  mask(x.context);
  mask(x.metadata);
}

void pii_masker::mask(observation_draft& x) const {
  x.content = mask(x.content);
  mask(x.tags);
  mask(x.context);
  mask(x.metadata);
}

void pii_masker::mask(observation_changes& x) const {
  if (x.content)
    x.content = mask(*x.content);
  if (x.tags)
    mask(*x.tags);
  if (x.context)
    mask(*x.context);
  if (x.metadata)
    mask(*x.metadata);
}

void pii_masker::mask(goal& x) const {
  x.title = mask(x.title);
  x.description = mask(x.description);
  for (auto& one : x.evidence)
    one.content = mask(one.content);
  mask(x.context);
  for (auto& one : x.pending_actions)
    one.description = mask(one.description);
}

void pii_masker::mask(update_goal& x) const {
  if (x.title)
    x.title = mask(*x.title);
  if (x.description)
    x.description = mask(*x.description);
}

void pii_masker::mask(fact& x) const {
  x.statement = mask(x.statement);
  mask(x.tags);
}

void pii_masker::mask(item_draft& x) const {
  x.title = mask(x.title);
  x.body = mask(x.body);
  mask(x.tags);
  if (x.phase)
    x.phase = mask(*x.phase);
}

void pii_masker::mask(item_changes& x) const {
  for (auto* text : {&x.title, &x.body, &x.phase})
    if (*text)
      *text = mask(**text);
  if (x.tags)
    mask(*x.tags);
}

void pii_masker::mask(chat_message& x) const {
  x.content = mask(x.content);
  for (auto& call : x.calls)
    call.arguments = mask(call.arguments);
}

// -- only looking ---------------------------------------------------------------------

bool pii_masker::finds_any(const observation& x) const {
  return detector_.finds_any(x.content) || finds_any(x.tags) || finds_any(x.context, 0)
         || finds_any(x.metadata, 0);
}

bool pii_masker::finds_any(const std::vector<std::string>& tags) const {
  return std::any_of(
    tags.begin(), tags.end(), [this](const std::string& tag) { return detector_.finds_any(tag); });
}

bool pii_masker::finds_any(const json::value& x, size_t depth) const {
  if (const auto* text = x.if_string())
    return detector_.finds_any(view_of(json::string_view{*text}));
  if (x.is_structured() && depth == max_depth)
    return true; // it is masked, too
  if (const auto* list = x.if_array())
    return std::any_of(list->begin(), list->end(),
      [&](const json::value& entry) { return finds_any(entry, depth + 1); });
  return x.is_object() && finds_any(x.get_object(), depth);
}

bool pii_masker::finds_any(const json::object& x, size_t depth) const {
  return std::any_of(x.begin(), x.end(), [&](const auto& member) {
    return detector_.finds_any(view_of(member.key())) || finds_any(member.value(), depth + 1);
  });
}

} // namespace scratchpage
