#include <boost/asio/local/stream_protocol.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include "scratchpage/runtime/net/http/accept_loop.hpp"

namespace scratchpage::http {

namespace {

using asio::local::stream_protocol;

class local_listener final : public accept_loop<stream_protocol> {
public:
  local_listener(listener_setup setup, acceptor listening, std::string path)
    : accept_loop{std::move(setup), std::move(listening)},
      path_{std::move(path)} {}

  uint16_t port() const override { return 0; }

private:
  ends ends_of(accepted&) override { return {"local", {}}; }

  void on_close() override { ::unlink(path_.c_str()); }

  std::string path_;
};

/// A socket that its process has left behind is removed; one that is in use is not.
void remove_left_behind(asio::io_context& io, const std::string& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0 || !S_ISSOCK(found.st_mode))
    return;
  stream_protocol::socket probe{io};
  boost::system::error_code ec;
  probe.connect({path}, ec);
  if (ec == boost::system::errc::connection_refused)
    ::unlink(path.c_str());
}

} // namespace

caf::expected<std::shared_ptr<listener>> listen_to_local_socket(const listener_setup& setup) {
  const auto& path = setup.service->config.socket_path;
  auto& io = setup.workers.front()->io();
  remove_left_behind(io, path);
  local_listener::acceptor listening{io};
  boost::system::error_code ec;
  listening.open(stream_protocol{}, ec);
  // Before it has a name: there is no moment at which others may connect.
  if (!ec && ::fchmod(listening.native_handle(), S_IRUSR | S_IWUSR) != 0)
    ec = {errno, boost::system::system_category()};
  if (!ec)
    listening.bind({path}, ec);
  if (!ec)
    listening.listen(asio::socket_base::max_listen_connections, ec);
  if (ec)
    return fail(errc::invalid_request, "http.socket_path",
      "expected a path for a socket, not " + path + ": " + ec.message());
  return std::make_shared<local_listener>(setup, std::move(listening), path);
}

} // namespace scratchpage::http
