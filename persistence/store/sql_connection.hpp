#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include <caf/expected.hpp>

/// What SQLite and PostgreSQL have in common, as far as a store needs it:
/// statements with `$1`, `$2`, … in the order of their appearance, whole numbers,
/// texts and bytes. For the stores only: failures are exceptions here, which the
/// stores turn into errors.

namespace scratchpage::sql {

/// Something went wrong; what() is a sentence for people.
struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A value that the database can keep at no time, such as a text that is too long for it. The
/// database itself is well.
struct unkeepable : failure {
  using failure::failure;
};

/// Any bytes, which are not a text.
struct bytes {
  const std::string* of;
};

/// What is pointed to must outlive the call.
using argument = std::variant<int64_t, const std::string*, bytes>;

/// One row of an answer, while it is being read.
class row {
public:
  virtual ~row() = default;
  virtual int64_t integer(int column) const = 0;
  virtual std::string text(int column) const = 0;
  virtual std::string bytes(int column) const = 0;
};

class connection {
public:
  virtual ~connection() = default;

  /// What the type of a column of bytes is called.
  virtual std::string type_of_bytes() const = 0;

  /// An expression for 64 random bits, as a whole number.
  virtual std::string random_number() const = 0;

  /// From here on it leaves the database's files as they are, also when it ends: somebody
  /// will look at what is wrong with them.
  virtual void leave_files() {}

  /// Several statements without arguments.
  virtual void script(const std::string& statements) = 0;

  /// One statement, which is prepared once. `f` gets the rows, if any are
  /// wanted. The result counts the rows that were changed.
  virtual int64_t run(const std::string& statement, std::span<const argument> arguments = {},
    const std::function<void(const row&)>& f = {}) = 0;

  /// Between them, all or nothing. Who writes waits for other writers, at the
  /// latest where both change a row; who is `exclusive` for all that are so too.
  virtual void begin(bool exclusive) = 0;
  /// Until its end, which is a commit or a rollback, all that is read is of one moment.
  virtual void begin_reading() = 0;
  virtual void commit() = 0;
  /// Never throws: what cannot be undone ends with the connection.
  virtual void rollback() noexcept = 0;

  /// What was removed or replaced in these tables goes from the files as well, as
  /// far as the database lets one. Not between a beginning and its end.
  virtual void scrub(const std::vector<std::string>& tables) = 0;

  /// Whether it can be used; one that cannot is replaced.
  virtual bool is_alive() const = 0;
};

/// Makes a connection or throws.
using connector = std::function<std::unique_ptr<connection>()>;

} // namespace scratchpage::sql
