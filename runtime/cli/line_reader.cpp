#include "scratchpage/runtime/cli/line_reader.hpp"

namespace scratchpage {

bool line_reader::next(std::string& line) {
  using traits = std::istream::traits_type;
  line.clear();
  auto* from = in_.rdbuf();
  auto c = from->sbumpc();
  if (traits::eq_int_type(c, traits::eof()))
    return false;
  ++number_;
  for (; !traits::eq_int_type(c, traits::eof()); c = from->sbumpc()) {
    if (traits::to_char_type(c) == '\n')
      break;
    if (line.size() <= most_)
      line += traits::to_char_type(c);
  }
  return true;
}

} // namespace scratchpage
