#include "scratchpage/persistence/store/postgres_connection.hpp"

#include <libpq-fe.h>
#include <poll.h>

#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <pqxx/pqxx>

#include "scratchpage/persistence/store/answer_watch.hpp"
#include "scratchpage/persistence/store/sql_connection.hpp"

namespace scratchpage::sql {

namespace {

struct free_options {
  void operator()(PQconninfoOption* x) const { PQconninfoFree(x); }
};

using options = std::unique_ptr<PQconninfoOption, free_options>;

options parse(const std::string& connection_string) {
  char* error = nullptr;
  options result{PQconninfoParse(connection_string.c_str(), &error)};
  PQfreemem(error);
  if (!result)
    throw failure{"expected a connection string of PostgreSQL: pairs such as host=… dbname=…, "
                  "or postgresql://…"};
  return result;
}

void add(std::string& to, std::string_view key, std::string_view value) {
  (to += to.empty() ? "" : " ") += key;
  to += "='";
  for (auto c : value) {
    if (c == '\'' || c == '\\')
      to += '\\';
    to += c;
  }
  to += '\'';
}

/// Settings of a connection, because the server's defaults may differ. The stores need "read
/// committed": a statement that has waited for a row sees the committed row.
constexpr auto settings = R"(
  SET default_transaction_isolation = 'read committed';
  SET client_encoding = 'UTF8';
  SET bytea_output = 'hex';
  SET client_min_messages = error;
)";

/// The number is arbitrary; no other program on the same database should use it.
constexpr auto schema_lock = "SELECT pg_advisory_xact_lock(7305808869229538675)";

constexpr size_t statements_kept = 128; // ranges of archives give any number of statements

constexpr size_t max_text_bytes = (size_t{1} << 30) - 1'024; // the rest is for its overhead

/// Of the values of `synchronous_commit`, only `remote_apply` waits for more than `on` does.
constexpr auto at_least_on = R"(
  SELECT set_config('synchronous_commit', 'on', false)
  WHERE current_setting('synchronous_commit') <> 'remote_apply';
)";

std::string settings_with(const postgres_options& options) {
  return std::string{settings} + (options.synced ? at_least_on : "SET synchronous_commit = off;")
         + ("SET statement_timeout = " + std::to_string(options.statement_time.count()))
         + (";SET idle_in_transaction_session_timeout = "
            + std::to_string(options.idle_time.count()));
}

// SQLSTATEs that are no plain failure.
constexpr std::string_view unique_violation = "23505";
constexpr std::string_view read_only_transaction = "25006";

/// Whether the server refused the values of a statement, with "data exception" or "program limit
/// exceeded".
bool is_about_values(std::string_view sqlstate) {
  return sqlstate.starts_with("22") || sqlstate.starts_with("54");
}

/// The first line of an error text. The lines after it may quote rows.
std::string first_line(const std::string& text) {
  return "PostgreSQL: " + text.substr(0, text.find('\n'));
}

constexpr std::string_view hex_digits = "0123456789abcdef";

/// Bytes in PostgreSQL's text form: "\\x01ff".
std::string hex_of(const std::string& bytes) {
  std::string result{"\\x"};
  result.reserve(2 + 2 * bytes.size());
  for (auto x : bytes) {
    result += hex_digits[static_cast<uint8_t>(x) >> 4];
    result += hex_digits[static_cast<uint8_t>(x) & 15];
  }
  return result;
}

std::string bytes_of(std::string_view hex) {
  std::string result;
  result.reserve(hex.size() / 2);
  for (size_t i = 2; i + 1 < hex.size(); i += 2)
    result += static_cast<char>(hex_digits.find(hex[i]) << 4 | hex_digits.find(hex[i + 1]));
  return result;
}

std::string text_of(const argument& x) {
  if (const auto* number = std::get_if<int64_t>(&x))
    return std::to_string(*number);
  if (const auto* blob = std::get_if<bytes>(&x))
    return hex_of(*blob->of);
  const auto& text = *std::get<const std::string*>(x);
  if (text.find('\0') != std::string::npos)
    throw unkeepable{"expected a text without U+0000, which PostgreSQL cannot keep"};
  if (text.size() > max_text_bytes)
    throw unkeepable{"expected a text of less than a gibibyte, as PostgreSQL can keep it"};
  return text;
}

/// Whether the other side has closed the connection.
bool has_hung_up(int socket) {
  pollfd x{socket, POLLRDHUP, 0};
  return ::poll(&x, 1, 0) != 0;
}

/// libpqxx 6 reconnects by itself, even if that loses a transaction; later versions do not.
void never_reconnect([[maybe_unused]] pqxx::connection& db) {
#if PQXX_VERSION_MAJOR < 7
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  db.inhibit_reactivation(true);
#pragma GCC diagnostic pop
#endif
}

class postgres_row : public row {
public:
  explicit postgres_row(const pqxx::row& of)
    : of_{of} {}
  int64_t integer(int column) const override { return of_[column].as<int64_t>(); }
  std::string text(int column) const override {
    auto cell = of_[column];
    return {cell.c_str(), cell.size()};
  }
  std::string bytes(int column) const override {
    auto cell = of_[column];
    return bytes_of({cell.c_str(), cell.size()});
  }

private:
  const pqxx::row& of_;
};

class postgres_connection final : public connection {
public:
  postgres_connection(const std::string& address, const postgres_options& options)
    : db_{address},
      watch_{db_.sock(), options.answer_time} {
    never_reconnect(db_);
    script(settings_with(options));
  }

  sql::dialect dialect() const override { return sql::dialect::postgres; }

  std::string type_of_bytes() const override { return "BYTEA"; }

  std::string random_number() const override {
    return "('x' || md5(gen_random_uuid()::text || gen_random_uuid()::text))::bit(64)::bigint";
  }

  void script(const std::string& statements) override {
    guard([&] { session_.exec(statements); });
  }

  int64_t run(const std::string& statement, std::span<const argument> arguments,
    const std::function<void(const row&)>& f) override {
    std::vector<std::string> texts;
    for (const auto& x : arguments)
      texts.push_back(text_of(x));
    pqxx::result answer;
    guard([&] {
      answer =
        session_.exec_prepared(prepare(statement), pqxx::prepare::make_dynamic_params(texts));
    });
    if (f)
      for (const auto& x : answer)
        f(postgres_row{x});
    return static_cast<int64_t>(answer.affected_rows());
  }

  void begin(bool exclusive) override {
    script("BEGIN");
    if (exclusive)
      lock_schema();
  }
  void begin_reading() override { script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"); }
  void commit() override { script("COMMIT"); }
  void rollback() noexcept override {
    try {
      script("ROLLBACK");
    } catch (const std::exception&) {
      is_alive_ = false;
    }
  }

  /// One table at a time, because each statement has a time limit.
  void scrub(const std::vector<std::string>& tables) override {
    for (const auto& table : tables)
      script("VACUUM " + table);
  }

  bool is_alive() const override { return is_alive_ && db_.is_open() && !has_hung_up(db_.sock()); }

private:
  template <class F>
  void guard(F f) {
    try {
      answer_watch::call call{watch_};
      f();
    } catch (const pqxx::serialization_failure& err) {
      throw try_again{first_line(err.what())};
    } catch (const pqxx::deadlock_detected& err) {
      throw try_again{first_line(err.what())};
    } catch (const pqxx::sql_error& err) {
      note_sql_error(err);
    } catch (const std::exception& err) {
      note_failure(err);
    }
  }

  [[noreturn]] void note_sql_error(const pqxx::sql_error& err) {
    if (db_.is_open() && is_about_values(err.sqlstate()))
      throw unkeepable{first_line(err.what())};
    if (err.sqlstate() == unique_violation)
      throw duplicate_key{first_line(err.what())};
    if (err.sqlstate() == read_only_transaction)
      is_alive_ = false;
    note_failure(err);
  }

  [[noreturn]] void note_failure(const std::exception& err) {
    if (db_.is_open())
      throw failure{first_line(err.what())};
    is_alive_ = false; // libpqxx's own text would be about encodings
    throw failure{"PostgreSQL: the connection is lost"};
  }

  void lock_schema() {
    try {
      run(schema_lock, {}, {});
    } catch (...) {
      rollback();
      throw;
    }
  }

  const std::string& prepare(const std::string& statement) {
    if (auto i = prepared_.find(statement); i != prepared_.end())
      return i->second;
    if (prepared_.size() >= statements_kept)
      forget_one();
    auto name = "s" + std::to_string(++last_name_);
    db_.prepare(name, statement);
    return prepared_.emplace(statement, std::move(name)).first->second;
  }

  void forget_one() {
    auto i = prepared_.begin();
    db_.unprepare(i->second);
    prepared_.erase(i);
  }

  pqxx::connection db_;
  pqxx::quiet_errorhandler quiet_{db_}; // otherwise libpqxx writes to stderr
  pqxx::nontransaction session_{db_};   // transactions begin and end with own statements
  answer_watch watch_;
  std::unordered_map<std::string, std::string> prepared_; // names of statements, by their text
  uint64_t last_name_ = 0;
  bool is_alive_ = true;
};

std::unique_ptr<connection> connect(
  const std::string& connection_string, const postgres_options& options) {
  auto address = with_defaults(connection_string, options);
  try {
    return std::make_unique<postgres_connection>(address, options);
  } catch (const pqxx::failure& err) {
    throw failure{first_line(err.what())};
  }
}

} // namespace

std::string with_defaults(const std::string& connection_string, const postgres_options& options) {
  auto given = parse(connection_string);
  std::string result;
  for (const auto* x = given.get(); x->keyword != nullptr; ++x) {
    std::string_view key{x->keyword};
    if (x->val != nullptr)
      add(result, key, x->val);
    else if (key == "connect_timeout")
      add(result, key, std::to_string(options.connect_time.count()));
    else if (key == "tcp_user_timeout")
      add(result, key, std::to_string(options.answer_time.count()));
    else if (key == "fallback_application_name")
      add(result, key, "scratchpage");
  }
  return result;
}

connector postgres(std::string connection_string, postgres_options options) {
  return [connection_string = std::move(connection_string), options] {
    return connect(connection_string, options);
  };
}

} // namespace scratchpage::sql
