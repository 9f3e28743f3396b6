#include "scratchpage/actors/page/index/context_scalars.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace scratchpage {

namespace {

template <class T>
void spell_number(T x, std::string& out) {
  std::array<char, 32> buffer;
  const auto* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
  out.push_back('n');
  out.append(buffer.data(), static_cast<size_t>(end - buffer.data()));
}

/// Whole numbers are spelled as such, exactly, as far as JSON's integers go.
void spell_double(double x, std::string& out) {
  if (x != std::trunc(x) || x < -0x1p63 || x >= 0x1p64)
    spell_number(x, out);
  else if (x < 0)
    spell_number(static_cast<int64_t>(x), out);
  else
    spell_number(static_cast<uint64_t>(x), out);
}

} // namespace

bool spell_scalar(const json::value& value, std::string& out) {
  out.clear();
  switch (value.kind()) {
  case json::kind::string:
    out.push_back('s');
    out.append(value.get_string().data(), value.get_string().size());
    return true;
  case json::kind::int64:
    spell_number(value.get_int64(), out);
    return true;
  case json::kind::uint64:
    spell_number(value.get_uint64(), out);
    return true;
  case json::kind::double_:
    spell_double(value.get_double(), out);
    return true;
  case json::kind::bool_:
    out.push_back(value.get_bool() ? 't' : 'f');
    return true;
  case json::kind::null:
    out.push_back('0');
    return true;
  default:
    return false;
  }
}

} // namespace scratchpage
