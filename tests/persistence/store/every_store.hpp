#pragma once

#include <memory>
#include <string>
#include <tuple>

#include "scratchpage/persistence/store/sql_store.hpp"
#include "scratchpage/tests/persistence/store/lockstep_store.hpp"
#include "scratchpage/tests/support/memory_store.hpp"
#include "scratchpage/tests/support/temp_dir.hpp"

namespace scratchpage::test {

/// The databases that a store can use. Each object is a new, empty database.
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

/// The types for BOOST_AUTO_TEST_CASE_TEMPLATE.
using every_store = std::tuple<in_sqlite, in_postgres>;

/// Opens a store; the test ends if that fails.
std::unique_ptr<sql_store> open(const sql::connector& connector);

/// An empty store and an empty model.
template <class Place>
struct placed {
  Place place;
  memory_store model;
  std::unique_ptr<sql_store> tested = open(place.connector());
};

/// An empty store and model that get the same calls.
template <class Place>
struct in_step : placed<Place>, lockstep_store {
  in_step()
    : lockstep_store{placed<Place>::model, *placed<Place>::tested} {}

  /// Opens the database again, as a new process does.
  void reopen() {
    this->tested = open(this->place.connector());
    test_another(*this->tested);
  }
};

/// Begins an agent's history; the test ends if that fails.
ownership claim(store& of, const std::string& agent_id = "ada");

} // namespace scratchpage::test
