#pragma once

#include <memory>

#include <boost/test/unit_test.hpp>

#include "scratchpage/tests/support/memory_store.hpp"

namespace scratchpage::test {

/// A store with one agent. `lose_it` claims the agent again, so that the store refuses writes of
/// `owner`.
struct one_agent {
  std::shared_ptr<memory_store> in = std::make_shared<memory_store>();
  ownership owner = *in->claim("tester");

  void lose_it() { BOOST_REQUIRE(in->claim("tester")); }
};

} // namespace scratchpage::test
