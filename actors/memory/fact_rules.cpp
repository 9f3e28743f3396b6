#include "scratchpage/actors/memory/fact_rules.hpp"

#include <algorithm>
#include <utility>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/principal_name.hpp"
#include "scratchpage/messages/text/key_text.hpp"
#include "scratchpage/persistence/memories/fact_ranking.hpp"

namespace scratchpage {

namespace {

caf::error wrong(std::string_view field, const std::string& expected) {
  return fail(errc::invalid_request, field, "expected " + expected);
}

std::string bytes_up_to(size_t most) {
  return "1 to " + std::to_string(most) + " bytes of UTF-8 without U+0000";
}

caf::error check_statement(std::string_view x) {
  if (normalised_statement(x).empty())
    return wrong("statement", "a text that is not blank");
  if (x.size() > fact_limits::statement_bytes || !is_key_text(x))
    return wrong("statement", bytes_up_to(fact_limits::statement_bytes));
  return {};
}

caf::error check_tags(const std::vector<std::string>& xs) {
  if (xs.size() > fact_request_limits::tags)
    return wrong("tags", "at most " + std::to_string(fact_request_limits::tags) + " tags");
  auto is_good = [](const std::string& x) {
    return !x.empty() && x.size() <= fact_limits::text_bytes && is_key_text(x);
  };
  if (!std::ranges::all_of(xs, is_good))
    return wrong("tags", "tags of " + bytes_up_to(fact_limits::text_bytes));
  return {};
}

caf::error check_confidence(const std::optional<double>& x) {
  if (x && !(*x >= 0 && *x <= 1))
    return wrong("confidence", "a number from 0 to 1");
  return {};
}

caf::error check_id(std::string_view field, std::string_view x) {
  if (x.size() > fact_request_limits::id_bytes || !is_key_text(x))
    return wrong(field, "at most " + std::to_string(fact_request_limits::id_bytes) + " bytes");
  return {};
}

/// Who says what the caller adds.
caf::expected<std::string> source_of(const add_fact& x) {
  if (x.user_id.empty() || (is_person(x.by) && x.user_id == x.by.name))
    return said_by(x.by);
  if (x.by.kind == source_kind::user)
    return fail(errc::forbidden, "user_id", "expected none: only an agent relays a user's words");
  if (x.user_id.size() > fact_request_limits::id_bytes || !is_plain_name(x.user_id))
    return wrong("user_id", std::string{plain_name});
  return said_by(source{source_kind::user, x.user_id, {}, {}, x.by.name});
}

/// Whether these are the caller's words, or words that it has relayed or that others relayed for
/// it.
bool is_own(const std::string& source, const caller& by) {
  if (is_person(by))
    return is_said_by_user(source, by.name);
  return source == said_by(by)
         || (source.starts_with("user ") && source.ends_with(", relayed by " + by.name));
}

bool may_change(const fact& x, const caller& by) {
  if (!by.outside || is_owner(by))
    return true;
  auto own = [&by](const std::string& source) { return is_own(source, by); };
  return !x.has_more_sources && !x.sources.empty() && std::ranges::all_of(x.sources, own);
}

} // namespace

caf::error check_limits(const query_facts& x) {
  auto err = check_query_text(x.text, "query");
  if (!err && !(x.min_confidence >= 0 && x.min_confidence <= 1))
    err = wrong("min_confidence", "a number from 0 to 1");
  if (!err)
    err = check_tags(x.tags);
  if (!err)
    err = check_id("user_id", x.user_id);
  if (!err)
    err = check_id("cursor", x.cursor);
  return err;
}

caf::error check_request(const add_fact& x) {
  auto err = check_statement(x.statement);
  if (!err)
    err = check_tags(x.tags);
  if (!err)
    err = check_confidence(x.confidence);
  if (err)
    return err;
  auto source = source_of(x);
  return source ? caf::error{} : source.error();
}

caf::expected<fact> fact_rules::add(const add_fact& request) {
  if (auto err = check_request(request))
    return err;
  auto source = source_of(request);
  auto known = store_.find(request.statement);
  auto may = !known || may_change(*known, request.by);
  if (known && known->valid_until && !may)
    return fail(errc::conflict, "statement",
      "the fact " + known->fact_id + " said so until " + to_rfc3339(*known->valid_until)
        + "; its source or the owner of the agent may change it");
  if (!known || std::ranges::find(known->sources, *source) == known->sources.end()) {
    auto learnt = store_.learn(
      {request.statement, request.tags, fact_outcome::success, {}, {std::move(*source)}}, now_, 0);
    if (!learnt)
      return learnt;
    known = std::move(*learnt);
  }
  return may ? date(request, std::move(*known)) : caf::expected<fact>{std::move(*known)};
}

/// Sets what the request says beside the statement. A fact that had ended holds again.
caf::expected<fact> fact_rules::date(const add_fact& request, fact x) {
  auto before = x;
  if (request.confidence)
    x.confidence = *request.confidence;
  if (request.valid_from)
    x.valid_from = *request.valid_from;
  else if (x.valid_from == timestamp{} || x.valid_until)
    x.valid_from = now_;
  x.valid_until.reset();
  if (x.confidence == before.confidence && x.valid_from == before.valid_from && !before.valid_until)
    return x;
  return keep(std::move(x));
}

caf::expected<fact> fact_rules::update(const update_fact& request) {
  auto err = check_id("fact_id", request.fact_id);
  if (!err && request.statement)
    err = check_statement(*request.statement);
  if (!err && request.tags)
    err = check_tags(*request.tags);
  if (!err)
    err = check_confidence(request.confidence);
  if (err)
    return err;
  const auto* known = store_.find_id(request.fact_id);
  if (known == nullptr)
    return fail(errc::not_found, "fact_id", "there is no fact '" + request.fact_id + "'");
  if (!may_change(*known, request.by))
    return fail(errc::forbidden, "fact_id",
      "expected a fact that only you have stated; others can be contradicted by a fact of your "
      "own, "
      "and the owner of the agent may change all");
  auto changed = *known;
  if (auto problem = correct(request, changed))
    return problem;
  return keep(std::move(changed));
}

caf::error fact_rules::correct(const update_fact& request, fact& x) const {
  if (x.valid_from == timestamp{})
    x.valid_from = x.first_seen;
  if (request.statement && *request.statement != x.statement) {
    auto is_other = normalised_statement(*request.statement) != normalised_statement(x.statement);
    x.statement = *request.statement;
    x.sources = {said_by(request.by)};
    x.has_more_sources = false;
    if (is_other) {
      x.support = 1;
      x.contradicted = 0;
    }
  }
  if (request.confidence)
    x.confidence = *request.confidence;
  if (request.tags)
    x.tags = *request.tags;
  if (request.ended && !x.valid_until)
    x.valid_until = now_;
  if (request.valid_until)
    x.valid_until = *request.valid_until;
  if (x.valid_until && *x.valid_until < x.valid_from)
    return wrong("valid_until", "a time after " + to_rfc3339(x.valid_from));
  x.last_seen = std::max(x.last_seen, now_);
  return {};
}

caf::expected<fact> fact_rules::keep(fact x) {
  if (auto err = store_.put(x))
    return err;
  return x;
}

} // namespace scratchpage
