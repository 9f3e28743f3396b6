#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>

#include <caf/expected.hpp>

/// What SQLite and PostgreSQL have in common, as far as a store needs it:
/// statements with `$1`, `$2`, … in the order of their appearance, whole numbers
/// and texts. For the stores only: failures are exceptions here, which the
/// stores turn into errors.

namespace scratchpage::sql {

/// Something went wrong; what() is a sentence for people.
struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A text must outlive the call.
using argument = std::variant<int64_t, const std::string*>;

/// One row of an answer, while it is being read.
class row {
public:
  virtual ~row() = default;
  virtual int64_t integer(int column) const = 0;
  virtual std::string text(int column) const = 0;
};

class connection {
public:
  virtual ~connection() = default;

  /// Several statements without arguments.
  virtual void script(const std::string& statements) = 0;

  /// One statement, which is prepared once. `f` gets the rows, if any are
  /// wanted. The result counts the rows that were changed.
  virtual int64_t run(const std::string& statement, std::span<const argument> arguments = {},
    const std::function<void(const row&)>& f = {}) = 0;

  /// Between them, all or nothing. Who writes waits for other writers, at the
  /// latest where both change a row; who is `exclusive` for all that are so too.
  virtual void begin(bool exclusive) = 0;
  virtual void commit() = 0;
  /// Never throws: what cannot be undone ends with the connection.
  virtual void rollback() noexcept = 0;

  /// Whether it can be used; one that cannot is replaced.
  virtual bool is_alive() const = 0;
};

/// Makes a connection or throws.
using connector = std::function<std::unique_ptr<connection>()>;

} // namespace scratchpage::sql
