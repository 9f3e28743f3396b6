#pragma once

#include <utility>

#include "scratchpage/runtime/net/http/wire.hpp"

namespace scratchpage::http {

/// What both kinds of wires have in common.
template <class Stream>
class stream_wire : public wire {
public:
  explicit stream_wire(Stream x)
    : stream_{std::move(x)} {}

  void read(asio::mutable_buffer to, std::shared_ptr<owner> by) override {
    stream_.async_read_some(to, [by = std::move(by)](const boost::system::error_code& ec,
                                  size_t bytes) { by->on_read(ec ? 0 : bytes); });
  }

  void write(const std::array<asio::const_buffer, 2>& from, std::shared_ptr<owner> by) override {
    stream_.async_write_some(from, [by = std::move(by)](const boost::system::error_code& ec,
                                     size_t bytes) { by->on_written(ec ? 0 : bytes); });
  }

  void close() override {
    boost::system::error_code ignored;
    stream_.lowest_layer().close(ignored);
  }

protected:
  Stream stream_;
};

} // namespace scratchpage::http
