#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <boost/test/unit_test.hpp>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/page_operations.hpp"
#include "scratchpage/persistence/trace/trace_sink.hpp"

/// Helpers that read observations and the trace.

namespace scratchpage::test {

using boost::unit_test::label;

/// The entries of one operation, in order. An empty `source` matches every source.
std::vector<trace_entry> entries_of(
  const memory_trace& trace, std::string_view operation, std::string_view source = {});

/// The member `key` of the entry's detail as text, "" if it is missing.
std::string detail_of(const trace_entry& x, std::string_view key);

/// The entries of one operation on one observation.
std::vector<trace_entry> entries_about(
  const memory_trace& trace, std::string_view operation, std::string_view observation_id);

/// Whether `cause` is an ancestor of `x` in the trace.
bool is_caused_by(const memory_trace& trace, const trace_entry& x, span_id cause);

std::string text(const observation_ptr& x);

std::string text(const std::vector<observation_ptr>& xs);

/// The contents of the observations: "first, second".
std::string contents(const std::vector<observation_ptr>& xs);

bool has_tag(const observation_ptr& x, std::string_view tag);

/// The member `key` of the observation's metadata as text, "" if it is missing.
std::string metadata(const observation_ptr& x, std::string_view key);

observation_filter tagged(std::vector<std::string> tags);

observation_filter typed(std::string type);

query_observations query_by(
  caller by, observation_filter filter, std::string text = {}, uint32_t limit = 10);

} // namespace scratchpage::test
