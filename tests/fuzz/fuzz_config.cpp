#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/runtime/config/config.hpp"
#include "scratchpage/tests/fuzz/targets.hpp"

namespace scratchpage::fuzz {

void config(std::string_view bytes) {
  auto read = load_config(bytes);
  if (!read) {
    promise(utf8::is_valid(describe(read.error())), "an error is a text");
    return;
  }
  auto text = dump_config(*read);
  auto again = load_config(text);
  promise(static_cast<bool>(again), "what was written is read again");
  promise(dump_config(*again) == text, "what was read again is the same");
}

} // namespace scratchpage::fuzz
