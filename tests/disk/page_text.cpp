#include "scratchpage/tests/disk/page_text.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/persistence/store/checksum.hpp"
#include "scratchpage/persistence/store/documents.hpp"
#include "scratchpage/persistence/store/journal.hpp"

namespace scratchpage::test {

namespace {

/// All collections that histories use.
constexpr std::array collections{
  collection::epochs, collection::facts, collection::goals, collection::types};
constexpr std::array snapshot_kinds{snapshot_kind::latest, snapshot_kind::oldest};

int64_t ms(timestamp at) {
  return std::chrono::floor<std::chrono::milliseconds>(at.time_since_epoch()).count();
}

template <class... Ts>
void add_line(std::string& to, const Ts&... words) {
  auto add = [&](const auto& word) {
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(word)>>)
      to += std::to_string(word);
    else
      to += word;
    to += ' ';
  };
  (add(words), ...);
  to += '\n';
}

// -- texts of the model ---------------------------------------------------------------------

void add_journal(std::string& to, const kept_page& page) {
  for (const auto& group : page.groups) {
    add_line(to, "group", group.first, group.last, "at", ms(page.events[group.last - 1]->event.at));
    for (auto i = group.first; i <= group.last; ++i) {
      const auto& x = *page.events[i - 1];
      add_line(to, "event", i, name_of(x.event.kind), x.number, x.json);
    }
  }
}

void add_snapshot(std::string& to, const kept_page& page, snapshot_kind kind) {
  auto sequence = page.snapshot(kind);
  auto view = page.view_at(sequence);
  add_line(to, name_of(kind), "snapshot", sequence, "numbers", view.last_number, "expired",
    view.expired, "evicted", view.evicted, "at", ms(view.at));
  for (const auto& [number, x] : view.shown)
    add_line(to, name_of(kind), number, x->json);
}

void add_archive(std::string& to, const kept_page& page) {
  for (auto i = page.events.rbegin(); i != page.events.rend(); ++i) {
    const auto& event = (*i)->event;
    const auto& x = *event.observation;
    if (is_end(event.kind))
      add_line(to, "archive", event.sequence, x.observation_id, x.type, name_of(x.status),
        x.source.name, x.owner, x.source.turn_id, ms(x.created_at), ms(event.at),
        (*i)->observation);
  }
}

void add_documents(std::string& to, const kept_page& page) {
  for (const auto& [name, body] : page.documents)
    add_line(to, "document", name.first, name.second, body);
}

// -- texts of a store -----------------------------------------------------------------------

std::string checked(const std::string& text, uint64_t checksum) {
  return checksum_of(text) == checksum ? text : "damaged: " + text;
}

caf::error add_journal(std::string& to, store& from, uint64_t agent) {
  return from.read_journal(agent, 0, [&](journal_group&& group) {
    add_line(to, "group", group.first, group.last, "at", ms(group.at));
    auto lines = lines_of(group);
    if (!lines) {
      add_line(to, describe(lines.error()));
      return true;
    }
    auto sequence = group.first;
    for (const auto& x : *lines)
      add_line(to, "event", sequence++, name_of(x.kind), x.number, x.json);
    return true;
  });
}

caf::error add_snapshot(std::string& to, store& from, uint64_t agent, snapshot_kind kind) {
  auto head = from.find_snapshot(agent, kind);
  if (!head)
    return head.error();
  add_line(to, name_of(kind), "snapshot", head->sequence, "numbers", head->last_number, "expired",
    head->expired, "evicted", head->evicted, "at", ms(head->at));
  return from.read_snapshot(agent, kind, [&](snapshot_row&& x) {
    add_line(to, name_of(kind), x.number, checked(x.event, x.checksum));
    return true;
  });
}

caf::error add_archive(std::string& to, store& from, uint64_t agent) {
  return from.read_archive(agent, {}, [&](archive_row&& x) {
    add_line(to, "archive", x.sequence, x.observation_id, x.type, x.status, x.source, x.owner,
      x.turn_id, ms(x.created_at), ms(x.left_at), checked(x.body, x.checksum));
    return true;
  });
}

caf::error add_documents(std::string& to, store& from, uint64_t agent) {
  caf::error err;
  for (auto one : collections)
    if (!err)
      err = from.read_documents(agent, std::string{one}, [&](document&& x) {
        add_line(to, "document", x.collection, x.key, checked(x.body, x.checksum));
        return true;
      });
  return err;
}

caf::error add_page(std::string& to, store& from, uint64_t agent) {
  auto err = add_journal(to, from, agent);
  for (auto kind : snapshot_kinds)
    if (!err)
      err = add_snapshot(to, from, agent, kind);
  if (!err)
    err = add_archive(to, from, agent);
  return err ? err : add_documents(to, from, agent);
}

} // namespace

std::string text_of(const kept_pages& pages) {
  std::string text;
  for (const auto& [name, page] : pages) {
    add_line(text, "agent", name, page.by.agent);
    add_journal(text, page);
    for (auto kind : snapshot_kinds)
      add_snapshot(text, page, kind);
    add_archive(text, page);
    add_documents(text, page);
  }
  return text;
}

caf::expected<std::string> text_of(store& pages) {
  auto names = pages.agents();
  if (!names)
    return names.error();
  std::string text;
  for (const auto& name : *names) {
    auto agent = pages.find_agent(name);
    if (!agent)
      return agent.error();
    add_line(text, "agent", name, agent->value_or(0));
    if (auto err = add_page(text, pages, agent->value_or(0)))
      return err;
  }
  return text;
}

// -- recovery -------------------------------------------------------------------------------

std::string recovery_text(const kept_page& page, uint64_t latest) {
  auto view = page.view_at(page.last());
  std::string text;
  add_line(text, "sequence", page.last(), "numbers", page.last_number(), "expired", view.expired,
    "evicted", view.evicted, "at", ms(view.at));
  for (const auto& [number, x] : view.shown)
    add_line(text, "shown", number, x->observation);
  auto after_snapshot = page.last() - page.snapshot(snapshot_kind::latest);
  for (auto i = page.last() - std::min(latest, after_snapshot); i < page.last(); ++i)
    add_line(text, "latest", page.events[i]->json);
  for (const auto& [name, body] : page.documents)
    if (name.first == collection::types)
      add_line(text, "type", name.second);
  for (const auto& [epoch, after] : page.epochs)
    add_line(text, "epoch", epoch, "after", after);
  return text;
}

std::string recovery_text(const recovered_page& page) {
  std::string text;
  if (!page.damage.empty())
    add_line(text, "damaged", page.damage);
  add_line(text, "sequence", page.sequence, "numbers", page.last_number, "expired", page.expired,
    "evicted", page.evicted, "at", ms(page.last_change));
  for (const auto& [number, x] : page.observations)
    add_line(text, "shown", number, to_json_text(*x));
  for (const auto& x : page.latest)
    add_line(text, "latest", to_json_text(x));
  for (const auto& x : page.types)
    add_line(text, "type", x);
  for (const auto& [epoch, after] : page.epochs)
    add_line(text, "epoch", epoch, "after", after);
  return text;
}

// -- comparing ------------------------------------------------------------------------------

std::string difference(const std::string& expected, const std::string& got) {
  std::istringstream left{expected};
  std::istringstream right{got};
  std::string a;
  std::string b;
  while (true) {
    auto has_a = static_cast<bool>(std::getline(left, a));
    auto has_b = static_cast<bool>(std::getline(right, b));
    if (!has_a && !has_b)
      return "";
    if (has_a != has_b || a != b)
      return "expected: " + (has_a ? a : "the end") + "\n  got: " + (has_b ? b : "the end");
  }
}

} // namespace scratchpage::test
