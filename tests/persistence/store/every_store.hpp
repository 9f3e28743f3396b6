#pragma once

#include <memory>
#include <string>
#include <tuple>

#include "scratchpage/persistence/store/memory_store.hpp"
#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/tests/persistence/store/lockstep_store.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

namespace scratchpage::test {

/// Where a store may keep what it keeps; each object is a place of its own.
class in_sqlite {
public:
  sql::connector connector() const;

private:
  temp_dir dir_;
};

class in_postgres {
public:
  in_postgres();
  sql::connector connector() const;

private:
  std::string address_;
};

/// For BOOST_AUTO_TEST_CASE_TEMPLATE.
using every_store = std::tuple<in_sqlite, in_postgres>;

/// Opens it; the test ends if that fails.
std::unique_ptr<sql_store> open(const sql::connector& connector);

/// An empty store, and an empty model beside it.
template <class Place>
struct placed {
  Place place;
  memory_store model;
  std::unique_ptr<sql_store> tested = open(place.connector());
};

/// Both in step.
template <class Place>
struct in_step : placed<Place>, lockstep_store {
  in_step()
    : lockstep_store{placed<Place>::model, *placed<Place>::tested} {}

  /// As a new start of the program would.
  void reopen() {
    this->tested = open(this->place.connector());
    test_another(*this->tested);
  }
};

/// Begins an agent's history; the test ends if that fails.
ownership claim(store& of, const std::string& agent_id = "ada");

} // namespace scratchpage::test
