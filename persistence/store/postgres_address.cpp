#include "scratchpage/persistence/store/postgres_address.hpp"

#include <memory>
#include <string_view>

#include <libpq-fe.h>

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
    throw failure{"expected a connection string of PostgreSQL's: pairs like host=… dbname=…, "
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

} // namespace

std::string with_defaults(const std::string& connection_string, std::chrono::seconds connect_time) {
  auto given = parse(connection_string);
  std::string result;
  for (const auto* x = given.get(); x->keyword != nullptr; ++x) {
    std::string_view key{x->keyword};
    if (x->val != nullptr)
      add(result, key, x->val);
    else if (key == "connect_timeout")
      add(result, key, std::to_string(connect_time.count()));
    else if (key == "fallback_application_name")
      add(result, key, "scratchpage");
  }
  return result;
}

} // namespace scratchpage::sql
