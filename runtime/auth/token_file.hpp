#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/persistence/files/private_file.hpp"
#include "scratchpage/runtime/auth/token_entry.hpp"

namespace scratchpage::access {

/// At most so many tokens, revoked ones too.
inline constexpr size_t most_tokens = 1'000;

inline constexpr size_t most_agent_patterns = 100; ///< of one token

/// Whether it may be whom a token is for, or an agent's pattern: 1 to 200 bytes of text.
bool is_token_text(const std::string& x);

/// The text of a file of tokens: `{"version": 1, "tokens": […]}`. Errors: `invalid_request` about
/// the first thing in it that is not as it was written, without quoting it.
caf::expected<std::vector<token_entry>> read_tokens(std::string_view text);
std::string to_text(const std::vector<token_entry>& tokens);

/// The file of tokens. Any number of processes may read and change it.
class token_file {
public:
  explicit token_file(std::filesystem::path path)
    : file_{std::move(path)} {}

  /// The one of a data directory.
  static std::filesystem::path in(const std::filesystem::path& data) {
    return data / "tokens.json";
  }

  struct content {
    std::vector<token_entry> tokens;
    std::optional<file_stamp> stamp; ///< nothing if there is no file, and so no tokens
  };

  /// Errors: those of `private_file`, and `invalid_request` if it is damaged.
  caf::expected<content> read() const;

  /// As above; `change` gets what is there and leaves what shall be.
  caf::error change(const std::function<caf::error(std::vector<token_entry>&)>& change) const;

  std::optional<file_stamp> stamp() const { return file_.stamp(); }

  const std::filesystem::path& path() const { return file_.path(); }

private:
  caf::expected<std::vector<token_entry>> read(const private_file::content& from) const;

  private_file file_;
};

} // namespace scratchpage::access
