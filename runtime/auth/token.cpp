#include "scratchpage/runtime/auth/token.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <sys/random.h>

#include "scratchpage/persistence/files/base64.hpp"

namespace scratchpage::access {

namespace {

constexpr std::string_view prefix = "sp_";
constexpr std::string_view id_letters = "abcdefghijklmnopqrstuvwxyz234567";
constexpr size_t id_random_size = 5; // bytes: eight letters of five bits

std::string id_of(std::string_view random) {
  uint64_t bits = 0;
  for (auto x : random)
    bits = bits << 8 | static_cast<unsigned char>(x);
  std::string result;
  for (size_t i = token_id_size; i-- > 0;)
    result += id_letters[bits >> (5 * i) & 31];
  return result;
}

/// base64url without padding.
std::string secret_of(std::string_view random) {
  auto result = to_base64(random);
  std::replace(result.begin(), result.end(), '+', '-');
  std::replace(result.begin(), result.end(), '/', '_');
  result.resize(token_secret_size);
  return result;
}

bool is_secret(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char x) {
    return (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || (x >= '0' && x <= '9') || x == '-'
           || x == '_';
  });
}

} // namespace

token make_token(std::string_view random) {
  return {id_of(random.substr(0, id_random_size)), secret_of(random.substr(id_random_size))};
}

std::optional<token> make_token() {
  std::string random(token_random_size, '\0');
  // Up to 256 bytes come whole or not at all.
  if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size()))
    return std::nullopt;
  auto result = make_token(random);
  OPENSSL_cleanse(random.data(), random.size());
  return result;
}

std::string to_text(const token& x) {
  return std::string{prefix} + x.id + "_" + x.secret;
}

std::optional<token> read_token(std::string_view text) {
  constexpr auto size = prefix.size() + token_id_size + 1 + token_secret_size;
  if (text.size() != size || !text.starts_with(prefix))
    return std::nullopt;
  text.remove_prefix(prefix.size());
  auto id = text.substr(0, token_id_size);
  auto secret = text.substr(token_id_size + 1);
  if (text[token_id_size] != '_' || !is_token_id(id) || !is_secret(secret))
    return std::nullopt;
  return token{std::string{id}, std::string{secret}};
}

bool is_token_id(std::string_view text) {
  return text.size() == token_id_size
         && text.find_first_not_of(id_letters) == std::string_view::npos;
}

std::string hash_of(std::string_view secret) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(secret.data(), secret.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    return {}; // which is nobody's
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  result.reserve(size_t{2} * size);
  for (unsigned int i = 0; i < size; ++i) {
    result += digits[digest[i] >> 4];
    result += digits[digest[i] & 15];
  }
  return result;
}

bool is_same_hash(std::string_view one, std::string_view other) {
  return !one.empty() && one.size() == other.size()
         && CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

} // namespace scratchpage::access
