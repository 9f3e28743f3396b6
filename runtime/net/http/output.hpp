#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/buffer.hpp>

namespace scratchpage::http {

/// Texts that are to be written one after the other.
class output {
public:
  void add(std::string x) {
    if (!x.empty())
      texts_.push_back(std::move(x));
  }

  bool empty() const { return texts_.empty(); }

  /// The next two, as far as there are any; valid until something changes.
  std::array<boost::asio::const_buffer, 2> next() const {
    std::array<boost::asio::const_buffer, 2> result;
    if (!texts_.empty())
      result[0] = boost::asio::buffer(texts_[0]) + written_;
    if (texts_.size() > 1)
      result[1] = boost::asio::buffer(texts_[1]);
    return result;
  }

  void consume(size_t bytes) {
    written_ += bytes;
    size_t done = 0;
    while (done < texts_.size() && written_ >= texts_[done].size())
      written_ -= texts_[done++].size();
    texts_.erase(texts_.begin(), texts_.begin() + static_cast<std::ptrdiff_t>(done));
  }

private:
  std::vector<std::string> texts_;
  size_t written_ = 0; ///< of the first
};

} // namespace scratchpage::http
