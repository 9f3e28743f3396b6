#include "scratchpage/messages/version.hpp"

namespace scratchpage {

const std::string_view version = SCRATCHPAGE_VERSION;

} // namespace scratchpage
