#pragma once

#include <array>
#include <stdexcept>
#include <string_view>

/// Everything that reads what comes from outside, each as a function of bytes: for
/// libFuzzer, which makes them up, and for a test that goes through those it has found.

namespace scratchpage::fuzz {

void access(std::string_view bytes);     ///< files of tokens, headers of requests
void codec(std::string_view bytes);      ///< JSON, and every type of the contract
void compaction(std::string_view bytes); ///< what a compactor gets; scratchbooks as they are stored
void config(std::string_view bytes);     ///< configurations
void http(std::string_view bytes);       ///< a request, and the operation that it asks for
void import(std::string_view bytes);     ///< exports
void mcp(std::string_view bytes);        ///< a session of MCP, a message a line
void operations(std::string_view bytes); ///< arguments of operations
void privacy(std::string_view bytes);    ///< personal data in a text
void replay(std::string_view bytes);     ///< scenarios and transcripts
void rpc(std::string_view bytes);        ///< a text of JSON-RPC's
void texts(std::string_view bytes);      ///< what is done to texts, whatever is in them

struct target {
  std::string_view name; ///< of its file, and of its folder in corpus/
  void (*run)(std::string_view);
};

inline constexpr std::array<target, 12> all_targets{
  {{"access", &access}, {"codec", &codec}, {"compaction", &compaction}, {"config", &config},
    {"http", &http}, {"import", &import}, {"mcp", &mcp}, {"operations", &operations},
    {"privacy", &privacy}, {"replay", &replay}, {"rpc", &rpc}, {"texts", &texts}}};

/// What has to hold whatever came in: an exception that nobody catches is a finding.
inline void promise(bool kept, const char* what) {
  if (!kept)
    throw std::logic_error{what};
}

/// The first line, and what follows it: an input that says by itself how it is meant.
inline std::string_view take_line(std::string_view& from) {
  auto end = from.find('\n');
  auto line = from.substr(0, end);
  from.remove_prefix(end == std::string_view::npos ? from.size() : end + 1);
  return line;
}

} // namespace scratchpage::fuzz
