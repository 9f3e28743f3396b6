#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace scratchpage {

/// XXH3 of a text, with a seed that this process has made at random. Tables whose keys come from
/// outside are hashed with it: who does not know the seed cannot choose texts that all have one
/// hash, which would make each look into the table as slow as reading all of it. Another process
/// gives another hash, so none is stored, and nothing depends on the order of such a table.
uint64_t keyed_hash(std::string_view text);

/// Hash for the standard's tables of texts that come from outside.
struct keyed_text_hash {
  using is_transparent = void;

  size_t operator()(std::string_view x) const { return keyed_hash(x); }
};

} // namespace scratchpage
