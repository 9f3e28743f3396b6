#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Bearer tokens: "sp_<id>_<secret>". The id is public, so that a list can name a token
/// and an error need not show it; the secret is 256 random bits.

namespace scratchpage::access {

inline constexpr size_t token_id_size = 8;      ///< characters: a to z, 2 to 7
inline constexpr size_t token_secret_size = 43; ///< characters of base64url (RFC 4648, 5)
inline constexpr size_t token_random_size = 37; ///< bytes of chance in both

struct token {
  std::string id;
  std::string secret;
};

/// Of `token_random_size` random bytes.
token make_token(std::string_view random);

/// The same of the system's random source; nothing if that fails.
std::optional<token> make_token();

/// As the bearer has it.
std::string to_text(const token& x);

/// Nothing if `text` has not the form of a token.
std::optional<token> read_token(std::string_view text);

bool is_token_id(std::string_view text);

/// What is kept of a secret: its SHA-256, in 64 hexadecimal digits. What makes a hash of
/// passwords slow has no use here: nobody guesses 256 random bits.
std::string hash_of(std::string_view secret);

/// Whether two hashes are the same, in a time that tells nothing of them.
bool is_same_hash(std::string_view one, std::string_view other);

} // namespace scratchpage::access
