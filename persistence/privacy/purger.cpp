#include "scratchpage/persistence/privacy/purger.hpp"

#include <algorithm>

#include "scratchpage/messages/json_writer.hpp"

namespace scratchpage {

namespace {

/// A shorter text is not searched for, because it may be a common word.
constexpr size_t least_quote = 12;

std::vector<pii_kind> kinds_of(const std::vector<std::string>& names) {
  std::vector<pii_kind> result;
  for (const auto& name : names)
    if (pii_kind kind{}; from_string(name, kind))
      result.push_back(kind);
  return result;
}

/// Each content, and each of its lines, because the title of a goal has one line.
std::vector<std::string> quotes_of(const std::vector<std::string>& contents) {
  std::vector<std::string> result;
  auto add = [&](std::string_view x) {
    if (x.size() >= least_quote)
      result.emplace_back(x);
  };
  for (std::string_view rest : contents) {
    add(rest);
    for (auto end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
      add(rest.substr(0, end));
      rest.remove_prefix(end + 1);
      if (rest.find('\n') == rest.npos)
        add(rest);
    }
  }
  std::sort(
    result.begin(), result.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return result;
}

/// The number of bytes with which both begin, in whole UTF-8 characters.
size_t common_beginning(std::string_view a, std::string_view b) {
  auto size = std::min(a.size(), b.size());
  auto end = static_cast<size_t>(
    std::mismatch(a.begin(), a.begin() + static_cast<ptrdiff_t>(size), b.begin()).first
    - a.begin());
  while (end > 0 && end < a.size() && (static_cast<uint8_t>(a[end]) & 0xC0) == 0x80)
    --end;
  return end;
}

/// `text` without the quotations of `quote` in it, which may be cut at their end.
std::string without_quote(std::string text, std::string_view quote) {
  auto beginning = quote.substr(0, least_quote);
  for (auto i = text.find(beginning); i != std::string::npos;
       i = text.find(beginning, i + purged_text.size())) {
    auto size = common_beginning(std::string_view{text}.substr(i), quote);
    text.replace(i, std::max<size_t>(size, 1), purged_text);
  }
  return text;
}

std::string_view view_of(const json::string& x) {
  return {x.data(), x.size()};
}

} // namespace

bool is_purged(const observation& x) {
  return x.content == purged_text && x.tags.empty() && x.context.empty() && x.metadata.empty();
}

purger::purger(const purge_observations& what)
  : ids_{what.observation_ids.begin(), what.observation_ids.end()},
    aged_{what.aged_ids.begin(), what.aged_ids.end()},
    quotes_{quotes_of(what.contents)},
    held_{what.held},
    masker_{pii_detector{kinds_of(what.kinds)}} {}

bool purger::concerns(const observation& x) const {
  if (ids_.contains(x.observation_id))
    return !is_purged(x);
  return aged_.contains(x.observation_id) && masker_.finds_any(x);
}

bool purger::concerns(const std::string& observation_id) const {
  return ids_.contains(observation_id) || aged_.contains(observation_id);
}

observation purger::purged(observation x) {
  x.content = purged_text;
  x.tags.clear();
  x.context = json::object{};
  x.metadata = json::object{};
  return x;
}

bool purger::purge(observation_ptr& x) const {
  if (!x || !concerns(*x))
    return false;
  x = observation_ptr{purged(*x)};
  return true;
}

bool purger::purge(page_event& x) const {
  if (!purge(x.observation))
    return false;
  if (x.request) { // it stays known, so that what was purged is not added again
    auto mark = *x.request;
    mark.warnings.clear(); // they may quote the observation
    mark.digest = 0;       // a digest could confirm a guess; 0 is that of no request
    x.request = std::move(mark);
  }
  return true;
}

bool purger::purge(episode& x) const {
  auto changed = false;
  for (auto& one : x.observations)
    changed = purge(one) || changed;
  return changed;
}

// -- goals ------------------------------------------------------------------------------

bool purger::purge(goal& x) const {
  auto is_listed = [this](const std::string& id) { return concerns(id); };
  if (std::none_of(x.observation_ids.begin(), x.observation_ids.end(), is_listed))
    return false;
  auto before = to_json_text(x);
  purge_evidence(x);
  auto clean = [this](std::string_view text) { return without_quotes(std::string{text}); };
  x.title = clean(x.title);
  x.description = clean(x.description);
  for (auto& one : x.evidence)
    one.content = clean(one.content);
  for (auto& one : x.pending_actions)
    one.description = clean(one.description);
  json::value context = std::move(x.context);
  change_texts(context, clean);
  x.context = std::move(context.get_object());
  masker_.mask(x);
  return to_json_text(x) != before;
}

/// Removes what is marked with the id of an observation, because its words may differ from those of
/// the observation.
void purger::purge_evidence(goal& x) const {
  for (auto& one : x.evidence)
    if (ids_.contains(one.observation_id))
      one.content = purged_text;
  auto* about = x.context.if_contains("observations");
  if (about == nullptr || !about->is_array())
    return;
  for (auto& one : about->get_array()) {
    auto* entry = one.if_object();
    auto* id = entry == nullptr ? nullptr : entry->if_contains("observation_id");
    if (id != nullptr && id->is_string() && ids_.contains(std::string{view_of(id->get_string())}))
      (*entry)["content"] = json::string_view{purged_text.data(), purged_text.size()};
  }
}

std::string purger::without_quotes(std::string text) const {
  for (const auto& quote : quotes_)
    text = without_quote(std::move(text), quote);
  return text;
}

void purger::change_texts(json::value& x, const change& f) {
  if (auto* text = x.if_string()) {
    auto next = f(view_of(*text));
    *text = json::string_view{next.data(), next.size()};
  } else if (auto* list = x.if_array()) {
    for (auto& entry : *list)
      change_texts(entry, f);
  } else if (auto* object = x.if_object()) {
    for (auto& member : *object)
      change_texts(member.value(), f);
  }
}

// -- facts ------------------------------------------------------------------------------

bool purger::purge(fact& x) const {
  auto is_source = [this](const std::string& id) { return concerns(id); };
  if (!holds_some(x) && std::none_of(x.observation_ids.begin(), x.observation_ids.end(), is_source))
    return false;
  auto before = x;
  masker_.mask(x);
  return x.statement != before.statement || x.tags != before.tags;
}

bool purger::holds_some(const fact& x) const {
  auto is_in = [](const std::string& text) {
    return [&text](const std::string& held) { return text.find(held) != std::string::npos; };
  };
  return std::any_of(held_.begin(), held_.end(), is_in(x.statement))
         || std::any_of(x.tags.begin(), x.tags.end(), [&](const std::string& tag) {
              return std::any_of(held_.begin(), held_.end(), is_in(tag));
            });
}

} // namespace scratchpage
