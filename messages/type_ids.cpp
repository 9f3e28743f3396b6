#include "scratchpage/messages/type_ids.hpp"

#include <caf/init_global_meta_objects.hpp>

#include "scratchpage/messages/messages.hpp"

namespace scratchpage {

void init_messages() {
  caf::init_global_meta_objects<caf::id_block::scratchpage>();
  caf::core::init_global_meta_objects();
}

} // namespace scratchpage
