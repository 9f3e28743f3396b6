#include "scratchpage/persistence/privacy/ip_addresses.hpp"

#include <algorithm>
#include <array>

#include <arpa/inet.h>

namespace scratchpage {

namespace {

bool is_address(int family, std::string_view text) {
  std::array<char, INET6_ADDRSTRLEN> copy{}; // inet_pton wants a zero at the end
  std::array<unsigned char, sizeof(in6_addr)> address;
  if (text.size() >= copy.size())
    return false;
  std::copy(text.begin(), text.end(), copy.begin());
  return inet_pton(family, copy.data(), address.data()) == 1;
}

/// Takes off what belongs to the sentence: a name before (`node:fe80::1`, whose
/// last letters look like digits), a single colon in front, a colon or dot behind.
text_range trimmed(std::string_view text, text_range x) {
  auto run = text.substr(0, x.end());
  auto from = x.offset;
  auto single_colon = [&](size_t i) { return run.substr(i, 1) == ":" && run.substr(i, 2) != "::"; };
  if (is_word(before(text, from)))
    from = std::min(run.find(':', from), run.size());
  if (single_colon(from))
    ++from;
  auto to = run.size();
  if (to > from && run[to - 1] == '.')
    --to;
  if (to > from + 1 && run[to - 1] == ':' && run[to - 2] != ':')
    --to;
  return {from, to - from};
}

bool is_ipv6(std::string_view text, text_range x) {
  auto found = text.substr(x.offset, x.length);
  return is_whole_word(text, x) && std::any_of(found.begin(), found.end(), is_digit)
         && is_address(AF_INET6, found);
}

} // namespace

text_ranges find_ipv6_addresses(std::string_view text) {
  // A whole run at a time: no byte is looked at again.
  static const text_pattern run{"[0-9A-Fa-f:.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*"};
  text_ranges result;
  for (auto x = run.next(text, 0); x.length > 0; x = run.next(text, x.end()))
    if (auto address = trimmed(text, x); is_ipv6(text, address))
      result.push_back(address);
  return result;
}

text_ranges find_ipv4_addresses(std::string_view text) {
  static const text_pattern run{"[0-9]+(?:\\.[0-9]+)+"};
  text_ranges result;
  for (auto x = run.next(text, 0); x.length > 0; x = run.next(text, x.end()))
    if (is_whole_word(text, x) && is_address(AF_INET, text.substr(x.offset, x.length)))
      result.push_back(x);
  return result;
}

} // namespace scratchpage
