#include "scratchpage/persistence/store/checksum.hpp"

#include <xxhash.h>

namespace scratchpage {

uint64_t checksum_of(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

struct running_checksum::state {
  XXH3_state_t* of = XXH3_createState();

  state() { XXH3_64bits_reset(of); }
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() { XXH3_freeState(of); }
};

running_checksum::running_checksum()
  : state_{std::make_unique<state>()} {}
running_checksum::running_checksum(running_checksum&&) noexcept = default;
running_checksum& running_checksum::operator=(running_checksum&&) noexcept = default;
running_checksum::~running_checksum() = default;

void running_checksum::add(std::string_view bytes) {
  XXH3_64bits_update(state_->of, bytes.data(), bytes.size());
}

uint64_t running_checksum::value() const {
  return XXH3_64bits_digest(state_->of);
}

} // namespace scratchpage
