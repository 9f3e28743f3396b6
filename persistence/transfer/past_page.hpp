#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/limits.hpp"
#include "scratchpage/messages/observation.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/store/store.hpp"
#include "scratchpage/persistence/transfer/page_at.hpp"

namespace scratchpage {

/// Selects a page of the past, and a part of it.
struct past_page_query {
  static constexpr std::string_view name = "page_at"; ///< of the operation
  static constexpr uint32_t usual = 100;              ///< observations, if there is no limit

  std::optional<uint64_t> sequence = {}; ///< the page after this change
  std::optional<timestamp> at = {};      ///< or at this time; absent both: after the last change
  std::optional<uint32_t> limit = {};    ///< observations, in [1, max_query_limit]
  std::string cursor = {};               ///< "" or the `next_cursor` of an earlier answer

  static constexpr auto fields(auto all) {
    using self = past_page_query;
    return all(optional("sequence", &self::sequence), optional("at", &self::at),
      optional("limit", &self::limit), optional("cursor", &self::cursor));
  }
};

/// A part of a page of the past, and how far the history goes.
struct past_page {
  uint64_t sequence = 0;            ///< of the last change until then
  std::optional<timestamp> at = {}; ///< the time that was asked for, or the time of the change
  uint64_t first_sequence = 0; ///< the first one that can be asked for; 0 if nothing ever changed
  uint64_t last_sequence = 0;
  std::optional<timestamp> first_at = {};
  std::optional<timestamp> last_at = {};
  std::vector<observation_ptr> observations = {}; ///< the newest first
  uint64_t total_count = 0;
  std::string next_cursor = {}; ///< "" if there are no more

  static constexpr auto fields(auto all) {
    using self = past_page;
    return all(required("sequence", &self::sequence), optional("at", &self::at),
      required("first_sequence", &self::first_sequence),
      required("last_sequence", &self::last_sequence), optional("first_at", &self::first_at),
      optional("last_at", &self::last_at), required("observations", &self::observations),
      required("total_count", &self::total_count), optional("next_cursor", &self::next_cursor));
  }
};

/// Reads a page of the past from a store that nobody writes to, such as one that reads from one
/// state. `go_on` is asked now and then. Errors: those of the store and of `go_on`;
/// `invalid_request` on `sequence`, `at`, `limit` or `cursor`; `internal` if the history is
/// damaged.
caf::expected<past_page> read_past_page(
  store& from, uint64_t agent, const past_page_query& which, const may_go_on& go_on = {});

} // namespace scratchpage
