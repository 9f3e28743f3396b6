#pragma once

#include <cstdint>

#include <caf/expected.hpp>

namespace scratchpage {

/// Gives numbers that were never given before, from 1 on.
class number_source {
public:
  virtual ~number_source() = default;
  virtual caf::expected<uint64_t> next() = 0;
};

/// Within one process.
class counter : public number_source {
public:
  caf::expected<uint64_t> next() override { return ++last_; }

private:
  uint64_t last_ = 0;
};

} // namespace scratchpage
