#include "scratchpage/runtime/http/websocket.hpp"

namespace scratchpage::http {

void start_websocket(socket, websocket_setup setup) {
  (void)setup;
}
void start_websocket(tls_stream, websocket_setup setup) {
  (void)setup;
}

} // namespace scratchpage::http
