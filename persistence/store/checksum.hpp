#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace scratchpage {

/// XXH3 of 64 bits, with which everything that is stored is stored. It finds
/// what a disk has changed, not what a person has.
uint64_t checksum_of(std::string_view bytes);

/// The same of a text that comes in parts.
class running_checksum {
public:
  running_checksum();
  running_checksum(running_checksum&&) noexcept;
  running_checksum& operator=(running_checksum&&) noexcept;
  ~running_checksum();

  void add(std::string_view bytes);
  uint64_t value() const;

private:
  struct state;
  std::unique_ptr<state> state_;
};

} // namespace scratchpage
