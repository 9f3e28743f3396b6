#include "scratchpage/runtime/auth/token.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <vector>

#include <sys/random.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/config_check.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/json/json_text.hpp"
#include "scratchpage/messages/text/utf8.hpp"
#include "scratchpage/persistence/files/base64.hpp"

namespace scratchpage::auth {

namespace {

constexpr std::string_view prefix = "sp_";
constexpr std::string_view id_letters = "abcdefghijklmnopqrstuvwxyz234567";
constexpr size_t id_random_size = 5; // bytes: eight characters of five bits

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
  // The system gives up to 256 bytes at once or none.
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
    return {}; // matches no token
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

// -- the file of tokens -----------------------------------------------------------------------

namespace {

constexpr uint32_t known_version = 1;
constexpr size_t hash_size = 64;
constexpr size_t max_text = 200; // bytes of a name or a pattern

struct token_document {
  uint32_t version = 0;
  std::vector<token_entry> tokens;

  static constexpr auto fields(auto all) {
    using self = token_document;
    return all(required("version", &self::version), required("tokens", &self::tokens));
  }
};

bool is_hash(std::string_view x) {
  return x.size() == hash_size && x.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

caf::error check(const token_entry& x, size_t index) {
  config_check result{sub_path("", "tokens", index)};
  result.require(is_token_id(x.id), "id", "eight letters of a to z and 2 to 7")
    .require(is_hash(x.hash), "hash", "64 hexadecimal digits")
    .require(is_token_text(x.name), "name", "1 to 200 bytes of text")
    .require(!x.agents.empty() && x.agents.size() <= max_agent_patterns
               && std::all_of(x.agents.begin(), x.agents.end(), is_token_text),
      "agents", "1 to 100 texts of 1 to 200 bytes");
  return result.error();
}

caf::error check(const token_document& x) {
  if (x.version != known_version)
    return fail(errc::invalid_request, "version", "expected 1, the only one that is known");
  if (x.tokens.size() > max_tokens)
    return fail(errc::overloaded, "tokens", "expected 1000 tokens at most");
  std::set<std::string_view> ids;
  for (size_t i = 0; i < x.tokens.size(); ++i) {
    if (auto err = check(x.tokens[i], i))
      return err;
    if (!ids.insert(x.tokens[i].id).second)
      return fail(
        errc::invalid_request, sub_path("", "tokens", i), "expected an id that is used once");
  }
  return {};
}

} // namespace

bool is_token_text(const std::string& x) {
  return x.size() <= max_text && utf8::is_valid(x) && !utf8::is_blank(x);
}

caf::expected<std::vector<token_entry>> read_tokens(std::string_view text) {
  auto value = parse_json(text);
  if (!value)
    return fail(errc::invalid_request, "", "expected " + expectation_of(value.error()));
  auto read = from_json<token_document>(*value);
  if (!read)
    return read.error();
  if (auto err = check(*read))
    return err;
  return std::move(read->tokens);
}

std::string to_text(const std::vector<token_entry>& tokens) {
  return to_pretty_text(to_json(token_document{known_version, tokens})) + "\n";
}

caf::expected<std::vector<token_entry>> token_file::read(const private_file::content& from) const {
  auto result = read_tokens(from.bytes);
  if (!result)
    return bad_input(path().string(), 0, field_of(result.error()), expectation_of(result.error()));
  return result;
}

caf::expected<token_file::content> token_file::read() const {
  auto found = file_.read();
  if (!found)
    return found.error();
  content result;
  if (!*found)
    return result;
  auto tokens = read(**found);
  if (!tokens)
    return tokens.error();
  result.tokens = std::move(*tokens);
  result.stamp = (*found)->stamp;
  return result;
}

caf::error token_file::change(
  const std::function<caf::error(std::vector<token_entry>&)>& change) const {
  return file_.change(
    [&](const std::optional<private_file::content>& from) -> caf::expected<std::string> {
      std::vector<token_entry> tokens;
      if (from) {
        auto found = read(*from);
        if (!found)
          return found.error();
        tokens = std::move(*found);
      }
      if (auto err = change(tokens))
        return err;
      if (auto err = check(token_document{known_version, tokens}))
        return err;
      return to_text(tokens);
    });
}

} // namespace scratchpage::auth

namespace scratchpage::auth {

void fill_random(std::span<unsigned char> out) {
  if (RAND_bytes(out.data(), static_cast<int>(out.size())) != 1)
    std::abort(); // guessable keys are worse
}

std::string random_text(size_t bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::vector<unsigned char> raw(bytes);
  fill_random(raw);
  std::string result;
  result.reserve(2 * bytes);
  for (auto x : raw) {
    result.push_back(digits[x >> 4u]);
    result.push_back(digits[x & 15u]);
  }
  return result;
}

} // namespace scratchpage::auth
