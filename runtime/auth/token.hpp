#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <caf/expected.hpp>

#include "scratchpage/messages/caller.hpp"
#include "scratchpage/messages/fields.hpp"
#include "scratchpage/messages/time.hpp"
#include "scratchpage/persistence/files/private_file.hpp"

/// Bearer tokens, "sp_<id>_<secret>", and the file that lists them. The id is public, so that lists
/// and errors can name a token. The secret has 256 random bits; only its hash is stored.

namespace scratchpage {

namespace auth {

// -- one token -------------------------------------------------------------------------------

inline constexpr size_t token_id_size = 8;      ///< characters: a to z, 2 to 7
inline constexpr size_t token_secret_size = 43; ///< characters of base64url (RFC 4648, 5)
inline constexpr size_t token_random_size = 37; ///< random bytes in id and secret together

struct token {
  std::string id;
  std::string secret;
};

/// Makes a token from `token_random_size` random bytes.
token make_token(std::string_view random);

/// Makes a token from the system's random source; nothing if that fails.
std::optional<token> make_token();

/// The token as a bearer sends it.
std::string to_text(const token& x);

/// Nothing if `text` does not have the form of a token.
std::optional<token> read_token(std::string_view text);

bool is_token_id(std::string_view text);

/// The SHA-256 of a secret, in 64 hexadecimal digits. A slow hash, as for passwords, is not needed:
/// 256 random bits cannot be guessed.
std::string hash_of(std::string_view secret);

/// Compares two hashes in constant time.
bool is_same_hash(std::string_view one, std::string_view other);

// -- what is stored of tokens ----------------------------------------------------------------

/// What a token allows with an agent's data.
enum class right : uint8_t { read, write };

} // namespace auth

template <>
inline constexpr std::array<std::string_view, 2> enum_names<auth::right>{"read", "write"};

namespace auth {

/// A token as the file has it.
struct token_entry {
  std::string id;
  std::string hash;                     ///< of the secret, which is not stored
  std::string name;                     ///< of its owner
  std::vector<std::string> agents{"*"}; ///< allowed agent ids; `*` stands for any characters
  scratchpage::role role = scratchpage::role::daemon; ///< the highest role it allows
  auth::right right = auth::right::write;             ///< writing includes reading
  bool person = false;                                ///< its owner is a person; see `is_persons`
  timestamp created_at{};
  std::optional<timestamp> expires_at; ///< not valid from then on
  std::optional<timestamp> revoked_at;

  static constexpr auto fields(auto all) {
    using self = token_entry;
    return all(required("id", &self::id), required("hash", &self::hash),
      required("name", &self::name), required("agents", &self::agents),
      required("role", &self::role), required("right", &self::right),
      optional("person", &self::person), required("created_at", &self::created_at),
      optional("expires_at", &self::expires_at), optional("revoked_at", &self::revoked_at));
  }
};

/// Whether the token's owner acts as a person (a `user`, contract 1), who may decide what is left
/// to the user. An admin always is one, a tool never.
inline bool is_persons(const token_entry& x) {
  return x.role == scratchpage::role::admin || (x.person && x.role != scratchpage::role::tool);
}

enum class token_state : uint8_t { valid, expired, revoked };

inline token_state state_of(const token_entry& x, timestamp now) {
  if (x.revoked_at)
    return token_state::revoked;
  return x.expires_at && now >= *x.expires_at ? token_state::expired : token_state::valid;
}

} // namespace auth

template <>
inline constexpr std::array<std::string_view, 3> enum_names<auth::token_state>{
  "valid", "expired", "revoked"};

} // namespace scratchpage

namespace scratchpage::auth {

inline constexpr size_t max_tokens = 1'000; ///< in a file, revoked ones included

inline constexpr size_t max_agent_patterns = 100; ///< of one token

/// Whether a text may be the name of a token's owner or a pattern for agents: 1 to 200 bytes of
/// UTF-8 that are not all blanks.
bool is_token_text(const std::string& x);

/// Reads and writes the text of a token file: `{"version": 1, "tokens": […]}`. Errors:
/// `invalid_request` about the first member that is wrong; they do not quote the text.
caf::expected<std::vector<token_entry>> read_tokens(std::string_view text);
std::string to_text(const std::vector<token_entry>& tokens);

/// The file of tokens. Any number of processes may read and change it.
class token_file {
public:
  explicit token_file(std::filesystem::path path)
    : file_{std::move(path)} {}

  /// The path of the token file in a data directory.
  static std::filesystem::path in(const std::filesystem::path& data) {
    return data / "tokens.json";
  }

  struct content {
    std::vector<token_entry> tokens;
    std::optional<file_stamp> stamp; ///< nothing if there is no file
  };

  /// Errors: those of `private_file`, and `invalid_request` if the content is damaged.
  caf::expected<content> read() const;

  /// Replaces the tokens by what `change` makes of them. Errors: as of `read`, and what `change`
  /// returns.
  caf::error change(const std::function<caf::error(std::vector<token_entry>&)>& change) const;

  std::optional<file_stamp> stamp() const { return file_.stamp(); }

  const std::filesystem::path& path() const { return file_.path(); }

private:
  caf::expected<std::vector<token_entry>> read(const private_file::content& from) const;

  private_file file_;
};

} // namespace scratchpage::auth

namespace scratchpage::auth {

/// Fills `out` with random bytes for keys. Ends the process if the system has none.
void fill_random(std::span<unsigned char> out);

/// `bytes` random bytes as hexadecimal digits.
std::string random_text(size_t bytes);

} // namespace scratchpage::auth
