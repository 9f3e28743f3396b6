#include "scratchpage/runtime/cli/io/line_reader.hpp"

namespace scratchpage {

bool line_reader::next(std::string& line) {
  line.clear();
  char c = 0;
  if (!in_.get(c))
    return false;
  ++number_;
  do {
    if (c == '\n')
      break;
    if (line.size() <= most_)
      line += c;
  } while (in_.get(c));
  return true;
}

} // namespace scratchpage
