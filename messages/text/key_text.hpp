#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Short texts by which something is stored and found, such as owners, tags, ids and names: which
/// texts are allowed, and how tables hash them.

namespace scratchpage {

/// Whether the text may be a key: it is UTF-8 without U+0000, which PostgreSQL cannot store in a
/// text.
bool is_key_text(std::string_view x);

/// The text with U+FFFD in place of each U+0000, so that every store can keep it. It is for texts
/// that `is_key_text` has not checked.
std::string as_key_text(std::string_view x);

/// The XXH3 hash of a text, with a random seed that this process has chosen. Tables whose keys come
/// from outside use it: whoever does not know the seed cannot choose texts that share one hash and
/// so make every look-up as slow as a scan of the table. Another process gets other hashes, so no
/// hash is stored and nothing depends on the order of such a table.
uint64_t keyed_hash(std::string_view text);

/// A hash for the containers of the standard library, for texts that come from outside.
struct keyed_text_hash {
  using is_transparent = void;

  size_t operator()(std::string_view x) const { return keyed_hash(x); }
};

/// A text with its hash, for a text that is looked up several times.
struct text_key {
  std::string_view text;
  size_t hash;

  explicit text_key(std::string_view x)
    : text{x},
      hash{keyed_hash(x)} {}
};

/// Hash and equality for tables with texts as keys, for look-ups without a std::string. The hash
/// has a secret key, because the texts come from outside and their hashes must not be predictable.
struct text_hash {
  using is_transparent = void;
  using is_avalanching = void;

  size_t operator()(const text_key& x) const { return x.hash; }
  size_t operator()(std::string_view x) const { return keyed_hash(x); }
};

struct text_equal {
  using is_transparent = void;

  bool operator()(const text_key& a, std::string_view b) const { return a.text == b; }
  bool operator()(std::string_view a, const text_key& b) const { return a == b.text; }
  bool operator()(std::string_view a, std::string_view b) const { return a == b; }
};

/// Combines two hashes. The order matters.
constexpr size_t mix(size_t a, size_t b) {
  a = (a ^ b) * 0x9E3779B97F4A7C15ull;
  return a ^ (a >> 32);
}

} // namespace scratchpage
