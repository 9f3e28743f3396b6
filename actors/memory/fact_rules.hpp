#pragma once

#include <string>

#include <caf/error.hpp>
#include <caf/expected.hpp>

#include "scratchpage/messages/memory_operations.hpp"
#include "scratchpage/persistence/memories/semantic_store.hpp"

namespace scratchpage {

/// Limits on facts in requests. Texts of a fact keep `fact_limits`, too.
struct fact_request_limits {
  static constexpr size_t tags = 32;
  static constexpr size_t id_bytes = 256; ///< of the id of a fact or a user, and of a cursor
};

/// No error if the query keeps the limits; else `invalid_request` that names the member.
caf::error check_limits(const query_facts& x);

/// No error if `fact_rules::add` accepts the request in a store that has no facts. Errors:
/// `invalid_request`, `forbidden` about `user_id`.
caf::error check_request(const add_fact& x);

/// Adds and corrects facts on request (contract 14). A request that keeps no limit is refused and
/// not cut, because its sender can mend it.
class fact_rules {
public:
  /// `in` has to outlive this object.
  fact_rules(semantic_store& in, timestamp now)
    : store_{in},
      now_{now} {}

  /// An agent may pass on the words of a user; a person speaks for themself only. A fact that is
  /// known gets one more source; who has stated it before changes nothing by repeating it. Only
  /// callers who may update it set its confidence and dates. Errors: `invalid_request`, `forbidden`
  /// about `user_id`, `conflict` if it has ended and the caller may not say that it holds again,
  /// those of the store.
  caf::expected<fact> add(const add_fact& request);

  /// A caller from outside changes facts of which all sources are its own words, or words that it
  /// relayed; the owner of the agent changes every fact. A new statement has the caller as its
  /// source, and its support begins again. Errors: `invalid_request`, `not_found` and `forbidden`
  /// about `fact_id`, those of the store.
  caf::expected<fact> update(const update_fact& request);

private:
  caf::expected<fact> date(const add_fact& request, fact x);
  caf::expected<fact> keep(fact x);
  caf::error correct(const update_fact& request, fact& x) const;

  semantic_store& store_;
  timestamp now_;
};

} // namespace scratchpage
