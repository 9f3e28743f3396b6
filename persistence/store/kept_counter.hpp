#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scratchpage/messages/fields.hpp"
#include "scratchpage/persistence/store/number_source.hpp"
#include "scratchpage/persistence/store/store.hpp"

namespace scratchpage {

namespace counter_name {

inline constexpr std::string_view turns = "turns";
/// Numbers of observations that a page has given but its journal does not tell.
inline constexpr std::string_view observations = "observations";

} // namespace counter_name

/// How a counter is written down.
struct kept_number {
  std::string name;
  uint64_t reserved = 0; ///< numbers up to it may have been given

  static constexpr auto fields(auto all) {
    return all(required("name", &kept_number::name), required("reserved", &kept_number::reserved));
  }
};

/// Which numbers of observations are reserved; 0: none.
uint64_t reserved_in(const std::vector<kept_number>& counters);

/// Numbers that are never given again, also not after a restart. It reserves
/// them in the store a hundred at a time; what a process did not use of them is
/// left out.
class kept_counter : public number_source {
public:
  static constexpr uint64_t at_once = 100; ///< numbers that one commit reserves

  /// `name` tells the counters of an agent apart. Errors: as `read_all`.
  static caf::expected<std::shared_ptr<kept_counter>> open(
    std::shared_ptr<store> in, const ownership& by, std::string name);

  /// Error: that of the store; nothing is given then.
  caf::expected<uint64_t> next() override;

private:
  kept_counter(std::shared_ptr<store> in, const ownership& by, std::string name);

  std::shared_ptr<store> store_;
  ownership by_;
  std::string name_;
  uint64_t last_ = 0;
  uint64_t reserved_ = 0;
};

} // namespace scratchpage
