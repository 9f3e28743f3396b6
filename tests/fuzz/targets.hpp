#pragma once

#include <array>
#include <stdexcept>
#include <string_view>

/// A function for each parser of input from outside. libFuzzer calls them with generated
/// bytes, and a test calls them with the inputs in corpus/.

namespace scratchpage::fuzz {

void access(std::string_view bytes);     ///< files of tokens, headers of requests
void codec(std::string_view bytes);      ///< JSON, and every type of the contract
void compaction(std::string_view bytes); ///< arguments of a compactor; stored scratchbooks
void config(std::string_view bytes);     ///< configurations
void http(std::string_view bytes);       ///< requests and their operations
void import(std::string_view bytes);     ///< exports
void mcp(std::string_view bytes);        ///< a session of MCP, one message a line
void operations(std::string_view bytes); ///< arguments of operations
void privacy(std::string_view bytes);    ///< personal data in a text
void readings(std::string_view bytes);   ///< what people, agents and tools write
void replay(std::string_view bytes);     ///< scenarios and transcripts
void rpc(std::string_view bytes);        ///< a text of JSON-RPC
void texts(std::string_view bytes);      ///< functions on texts

struct target {
  std::string_view name; ///< the name of its source, and of its folder in corpus/
  void (*run)(std::string_view);
};

inline constexpr std::array<target, 13> all_targets{{{"access", &access}, {"codec", &codec},
  {"compaction", &compaction}, {"config", &config}, {"http", &http}, {"import", &import},
  {"mcp", &mcp}, {"operations", &operations}, {"privacy", &privacy}, {"readings", &readings},
  {"replay", &replay}, {"rpc", &rpc}, {"texts", &texts}}};

/// Throws unless the property `kept` holds. libFuzzer reports the exception as a finding.
inline void promise(bool kept, const char* what) {
  if (!kept)
    throw std::logic_error{what};
}

/// Removes the first line from `from` and returns it.
inline std::string_view take_line(std::string_view& from) {
  auto end = from.find('\n');
  auto line = from.substr(0, end);
  from.remove_prefix(end == std::string_view::npos ? from.size() : end + 1);
  return line;
}

} // namespace scratchpage::fuzz
