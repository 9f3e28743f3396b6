#pragma once

#include <string>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/query.hpp"

namespace scratchpage {

/// Which observations a command is about, as it was written: "" and empty lists
/// were not given.
struct filter_options {
  std::vector<std::string> type;
  std::vector<std::string> status;
  std::vector<std::string> tag;
  std::vector<std::string> source;
  std::vector<std::string> owner;
  std::string min_confidence;
  std::vector<std::string> where; ///< PATH=JSON
  std::string turn;
  std::string after;
  std::string before;
};

/// The filter of contract 3. An error names the option.
caf::expected<observation_filter> read_filter(const filter_options& x);

/// How much of the answer is shown.
struct paging_options {
  std::string limit;
  std::string cursor;
};

struct paging {
  uint32_t limit = 10;
  std::string cursor;
};

caf::expected<paging> read_paging(const paging_options& x);

} // namespace scratchpage
