#include "scratchpage/runtime/cli/commands/import.hpp"

#include <fstream>
#include <istream>
#include <memory>
#include <optional>
#include <system_error>

#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/store/store_transaction.hpp"
#include "scratchpage/persistence/transfer/import.hpp"
#include "scratchpage/persistence/transfer/new_database.hpp"
#include "scratchpage/persistence/transfer/pack_files.hpp"
#include "scratchpage/runtime/cli/commands/open_storage.hpp"
#include "scratchpage/runtime/cli/commands/slow_progress.hpp"
#include "scratchpage/runtime/cli/commands/travel_counts.hpp"
#include "scratchpage/runtime/cli/io/command_answer.hpp"
#include "scratchpage/runtime/cli/io/line_reader.hpp"

namespace scratchpage {

namespace {

namespace fs = std::filesystem;

/// The lines, and how many bytes they are.
class source_of_lines {
public:
  source_of_lines(const fs::path& file, std::istream* standard)
    : name_{file == "-" ? "standard input" : file.string()} {
    std::error_code ec;
    if (file == "-") {
      in_ = standard;
    } else if (!fs::is_directory(file, ec)) {
      file_.open(file, std::ios::binary);
      in_ = file_ ? &file_ : nullptr;
      auto size = fs::file_size(file, ec);
      total_ = ec ? 0 : size;
    }
  }

  const std::string& name() const { return name_; }
  std::istream* in() const { return in_; }
  uint64_t total() const { return total_; } ///< bytes; 0: unknown

private:
  std::string name_;
  std::ifstream file_;
  std::istream* in_ = nullptr;
  uint64_t total_ = 0;
};

/// What is wrong with the file is told with the line; what is wrong with the
/// storage is not the file's.
caf::error at_line(const source_of_lines& from, size_t line, const caf::error& err) {
  if (code_of(err) != errc::invalid_request && code_of(err) != errc::conflict)
    return err;
  return bad_input(from.name(), line, field_of(err), expectation_of(err));
}

caf::error read(source_of_lines& from, importer& to, slow_progress& bar) {
  line_reader lines{*from.in(), importer::most_bytes};
  uint64_t done = 0;
  for (std::string line; lines.next(line);) {
    auto err = line.size() > importer::most_bytes ? fail(errc::invalid_request, "",
                 "expected at most " + std::to_string(importer::most_bytes) + " bytes")
                                                  : to.take(line);
    if (err)
      return at_line(from, lines.number(), err);
    bar(done += line.size() + 1, from.total());
  }
  if (lines.has_failed())
    return bad_input(
      from.name(), lines.number(), "", "expected a file that can be read to its end");
  if (auto err = to.finish())
    return at_line(from, lines.number(), err);
  return {};
}

/// Reads the lines into a database, which has all of it or nothing afterwards.
/// `files`: where its agents' files are, if there are some already.
caf::error read_into(const fs::path& database, const fs::path& files, source_of_lines& from,
  const command_environment& environment, end_line& counts) {
  auto transaction = store_transaction::begin(sql::sqlite(database));
  if (!transaction)
    return transaction.error();
  importer to{(*transaction)->in(), files};
  slow_progress bar{environment, "bytes", from.name()};
  if (auto err = read(from, to, bar))
    return err;
  counts = to.counts();
  return (*transaction)->commit();
}

caf::error import_beside(const fs::path& data, source_of_lines& from,
  const command_environment& environment, end_line& counts) {
  auto directory = data_directory::open(data);
  if (!directory)
    return directory.error();
  auto mark = std::make_shared<commit_mark>(directory->database());
  if (auto whole = sql_store::open(sql::sqlite(directory->database()), mark); !whole)
    return whole.error(); // or what is left of its log would be written over
  if (auto err = read_into(directory->database(), directory->files(), from, environment, counts))
    return err;
  return unpack_files_of(*directory);
}

caf::error import_into(const fs::path& data, source_of_lines& from,
  const command_environment& environment, end_line& counts) {
  std::error_code ec;
  if (fs::exists(data_directory::database_in(data), ec))
    return import_beside(data, from, environment, counts);
  auto made = new_database::open(data);
  if (!made)
    return made.error();
  auto err = read_into(made->file(), {}, from, environment, counts);
  return err ? err : made->keep();
}

} // namespace

exit_code run_import(const import_options& options, const command_environment& environment) {
  auto data = data_path(options.data);
  if (!data)
    return complain(environment, data.error());
  source_of_lines from{options.file, environment.in};
  if (from.in() == nullptr)
    return complain_of_input(
      environment, bad_input(from.name(), 0, "", "expected a file that can be read"));
  end_line counts;
  if (auto err = import_into(*data, from, environment, counts))
    return complain_of_input(environment, err);
  print_counts(counts, options.json, environment);
  return finish(environment);
}

} // namespace scratchpage
