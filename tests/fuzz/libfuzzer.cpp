#include <cstddef>
#include <cstdint>

#include "scratchpage/messages/type_ids.hpp"
#include "scratchpage/tests/fuzz/targets.hpp"

/// The functions that libFuzzer calls. Each program is compiled with another
/// SCRATCHPAGE_FUZZ_TARGET, the function under test.

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  scratchpage::init_messages();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  scratchpage::fuzz::SCRATCHPAGE_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
