#include "scratchpage/runtime/mcp/server/request_state.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/persistence/files/base64.hpp"
#include "scratchpage/runtime/auth/random_text.hpp"

namespace scratchpage::mcp {

namespace {

constexpr size_t most_bytes = 256u << 10;
constexpr char between = '.';

const unsigned char* bytes_of(std::string_view x) {
  return reinterpret_cast<const unsigned char*>(x.data());
}

} // namespace

request_state::request_state() {
  fill_random(key_);
}

std::string request_state::seal(const json::object& content, std::string_view of) const {
  auto text = to_base64(to_text(json::value(content)));
  return text + between + to_base64(mac(text, of));
}

std::optional<json::object> request_state::open(
  std::string_view sealed, std::string_view of) const {
  auto at = sealed.find(between);
  if (sealed.size() > most_bytes || at == std::string_view::npos)
    return std::nullopt;
  auto text = sealed.substr(0, at);
  auto given = sealed.substr(at + 1);
  auto expected = to_base64(mac(text, of));
  if (given.size() != expected.size()
      || CRYPTO_memcmp(given.data(), expected.data(), expected.size()) != 0)
    return std::nullopt;
  auto content = from_base64(text);
  if (!content)
    return std::nullopt;
  auto value = parse_json(*content);
  if (!value || !value->is_object())
    return std::nullopt;
  return std::move(value->get_object());
}

std::string request_state::mac(std::string_view content, std::string_view of) const {
  // The content has no such character: where it ends cannot be moved.
  auto whole = std::string{content} + between + std::string{of};
  std::string result(EVP_MAX_MD_SIZE, '\0');
  unsigned int size = 0;
  HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()), bytes_of(whole), whole.size(),
    reinterpret_cast<unsigned char*>(result.data()), &size);
  result.resize(size);
  return result;
}

} // namespace scratchpage::mcp
