#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/fuzz/targets.hpp"

namespace scratchpage::fuzz {

void config(std::string_view bytes) {
  auto read = load_config(bytes);
  if (!read) {
    promise(utf8::is_valid(describe(read.error())), "an error is valid UTF-8");
    return;
  }
  auto text = dump_config(*read);
  auto again = load_config(text);
  promise(static_cast<bool>(again), "what was written can be read");
  promise(dump_config(*again) == text, "writing it again gives the same");
}

} // namespace scratchpage::fuzz
