#include "scratchpage/runtime/client/download.hpp"

#include <openssl/evp.h>

#include <array>
#include <memory>
#include <utility>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/persistence/files/base64.hpp"
#include "scratchpage/runtime/auth/caller_claim.hpp"
#include "scratchpage/runtime/client/linked_agent.hpp"
#include "scratchpage/runtime/net/http/target.hpp"
#include "scratchpage/runtime/net/http_client/exchange.hpp"
#include "scratchpage/runtime/net/json_rpc/read_error.hpp"

namespace scratchpage::client {

namespace {

constexpr size_t max_refusal_bytes = 65'536;

/// What has arrived, and whether it is what the server has.
class arrival {
public:
  explicit arrival(const take_piece& take)
    : take_{take},
      context_{EVP_MD_CTX_new(), EVP_MD_CTX_free} {
    EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
  }

  bool begin(const http_client::head& x) {
    status_ = x.status;
    if (const auto* digest = x.header("repr-digest"))
      expected_ = *digest;
    return true;
  }

  bool take(std::string_view piece) {
    if (status_ != 200) {
      refusal_ += piece;
      return refusal_.size() <= max_refusal_bytes;
    }
    if (!expected_.empty())
      EVP_DigestUpdate(context_.get(), piece.data(), piece.size());
    error_ = take_(piece);
    return !error_;
  }

  caf::error end(const http_client::outcome& how) {
    if (error_)
      return error_;
    if (how.end != http_client::ending::done)
      return fail(errc::storage_unavailable, "server",
        status_ == 0 ? "expected a server, but it " + how.error
                     : "expected all of it, but the server " + how.error);
    if (status_ != 200)
      return refusal();
    if (!expected_.empty() && expected_ != digest())
      return fail(
        errc::storage_unavailable, "server", "what has arrived is not what the server has sent");
    return {};
  }

private:
  caf::error refusal() const {
    auto answer = parse_json(refusal_);
    if (answer && answer->is_object())
      if (const auto* why = answer->get_object().if_contains("error"))
        return read_error(*why);
    return fail(errc::storage_unavailable, "server",
      "expected an answer of scratchpage, got the status " + std::to_string(status_));
  }

  std::string digest() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned size = 0;
    EVP_DigestFinal_ex(context_.get(), bytes.data(), &size);
    return "sha-256=:"
           + to_base64({reinterpret_cast<const char*>(bytes.data()), size}) // NOLINT: bytes
           + ":";
  }

  const take_piece& take_;
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
  unsigned status_ = 0;
  std::string expected_; // digest
  std::string refusal_;
  caf::error error_;
};

caf::expected<http_client::address> address_of(
  const download_source& from, const std::string& target) {
  http_client::address result;
  result.target = target;
  result.authority = "localhost";
  result.socket_path = from.socket_path;
  if (!from.socket_path.empty())
    return result;
  endpoint to;
  if (auto err = set_server(from.url, to))
    return err;
  result.secure = to.tls;
  result.host = to.host;
  result.port = to.port;
  auto is_ipv6 = to.host.find(':') != std::string::npos;
  result.authority = (is_ipv6 ? "[" + to.host + "]" : to.host) + ":" + to.port;
  return result;
}

} // namespace

caf::error download(
  const download_source& from, const std::string& target, const take_piece& take) {
  auto to = address_of(from, target);
  if (!to)
    return to.error();
  http_client::request request{"GET", std::move(*to), {}, {}, from.ca_file};
  if (!from.token.empty())
    request.headers.emplace_back("Authorization", "Bearer " + from.token);
  else
    request.headers.emplace_back("Scratchpage-Caller", auth::claim_of(from.by));
  arrival all{take};
  http_client::exchange exchange;
  auto how = exchange.run(request, std::nullopt,
    {[&](const http_client::head& x) { return all.begin(x); },
      [&](std::string_view piece) { return all.take(piece); }});
  return all.end(how);
}

std::string export_target(const std::string& agent_id) {
  return agent_id.empty() ? "/v1/export"
                          : "/v1/agents/" + http::percent_encode(agent_id) + "/export";
}

std::string checkpoint_target() {
  return "/v1/checkpoint";
}

} // namespace scratchpage::client
