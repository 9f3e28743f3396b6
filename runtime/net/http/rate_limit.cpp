#include "scratchpage/runtime/net/http/rate_limit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <arpa/inet.h>

namespace scratchpage::http {

rate_limit::rate_limit(double per_second, uint64_t burst, uint64_t max_peers)
  : per_second_{per_second},
    burst_{static_cast<double>(burst)},
    max_peers_{std::max<uint64_t>(max_peers, 1)} {}

std::optional<uint32_t> rate_limit::take(const std::string& peer, time_point now) {
  if (!is_on())
    return std::nullopt;
  auto& of = bucket_of(peer, now);
  std::chrono::duration<double> passed = std::max(now, of.filled) - of.filled;
  of.tokens = std::min(burst_, of.tokens + passed.count() * per_second_);
  of.filled = std::max(now, of.filled);
  if (of.tokens >= 1) {
    of.tokens -= 1;
    return std::nullopt;
  }
  return static_cast<uint32_t>(std::max(1.0, std::ceil((1 - of.tokens) / per_second_)));
}

rate_limit::bucket& rate_limit::bucket_of(const std::string& peer, time_point now) {
  if (auto place = places_.find(peer); place != places_.end()) {
    buckets_.splice(buckets_.begin(), buckets_, place->second);
    return buckets_.front();
  }
  if (buckets_.size() == max_peers_) {
    places_.erase(buckets_.back().peer);
    buckets_.pop_back();
  }
  buckets_.push_front({peer, burst_, now});
  places_.emplace(peer, buckets_.begin());
  return buckets_.front();
}

std::string peer_key(const std::string& address) {
  std::array<unsigned char, 16> bytes{};
  if (::inet_pton(AF_INET6, address.c_str(), bytes.data()) != 1)
    return address;
  std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
  std::array<char, INET6_ADDRSTRLEN> text{};
  ::inet_ntop(AF_INET6, bytes.data(), text.data(), text.size());
  return std::string{text.data()} + "/64";
}

} // namespace scratchpage::http
