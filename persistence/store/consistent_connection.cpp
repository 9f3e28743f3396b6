#include "scratchpage/persistence/store/consistent_connection.hpp"

#include <memory>
#include <utility>

namespace scratchpage::sql {

namespace {

[[noreturn]] void refuse_to_write() {
  throw failure{"expected a connection that may write; this one only reads"};
}

/// One transaction that only reads, from the beginning to the end of the connection.
class consistent_connection : public connection {
public:
  explicit consistent_connection(std::unique_ptr<connection> of)
    : of_{std::move(of)} {
    of_->begin_reading();
    of_->run("SELECT agent FROM agent LIMIT 1"); // SQLite takes the state at the first statement
  }

  consistent_connection(const consistent_connection&) = delete;
  consistent_connection& operator=(const consistent_connection&) = delete;
  ~consistent_connection() override { of_->rollback(); }

  sql::dialect dialect() const override { return of_->dialect(); }
  std::string type_of_bytes() const override { return of_->type_of_bytes(); }
  std::string random_number() const override { return of_->random_number(); }
  void leave_files() override { of_->leave_files(); }
  void script(const std::string&) override { refuse_to_write(); }
  int64_t run(const std::string& statement, std::span<const argument> arguments,
    const std::function<void(const row&)>& f) override {
    return of_->run(statement, arguments, f);
  }
  void begin(bool) override { refuse_to_write(); }
  void begin_reading() override {} // it has begun
  void commit() override {}
  void rollback() noexcept override {}
  void scrub(const std::vector<std::string>&) override { refuse_to_write(); }
  bool is_alive() const override { return of_->is_alive(); }

private:
  std::unique_ptr<connection> of_;
};

} // namespace

connector consistent(connector of) {
  return [of = std::move(of),
           used = std::make_shared<bool>(false)]() mutable -> std::unique_ptr<connection> {
    if (std::exchange(*used, true))
      throw failure{"expected one connection for all that is read, but it has broken"};
    return std::make_unique<consistent_connection>(of());
  };
}

} // namespace scratchpage::sql
