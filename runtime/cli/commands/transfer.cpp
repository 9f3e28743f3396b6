#include "scratchpage/runtime/cli/commands/history_commands.hpp"

#include <fstream>
#include <istream>
#include <memory>
#include <optional>
#include <ostream>
#include <system_error>

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/messages/error.hpp"
#include "scratchpage/messages/input_text.hpp"
#include "scratchpage/messages/json_writer.hpp"
#include "scratchpage/persistence/privacy/privacy_policy.hpp"
#include "scratchpage/persistence/store/sqlite_connection.hpp"
#include "scratchpage/persistence/store/store_transaction.hpp"
#include "scratchpage/persistence/transfer/database_files.hpp"
#include "scratchpage/persistence/transfer/export.hpp"
#include "scratchpage/persistence/transfer/import.hpp"
#include "scratchpage/runtime/cli/commands/opening.hpp"
#include "scratchpage/runtime/cli/commands/progress_bar.hpp"
#include "scratchpage/runtime/cli/io/command_line.hpp"
#include "scratchpage/runtime/cli/io/files.hpp"
#include "scratchpage/runtime/cli/io/pipe_io.hpp"
#include "scratchpage/runtime/cli/terminal/terminal.hpp"

namespace scratchpage {

namespace {

constexpr auto all_agents = "all";

caf::expected<std::vector<std::string>> agents_of(store& in, const std::string& given) {
  if (given == all_agents)
    return in.agents();
  if (auto err = check_is_known(in, given))
    return err;
  return std::vector{given};
}

/// The output of an export: a file, or the standard output.
class destination {
public:
  destination(const std::filesystem::path& file, const command_environment& environment)
    : file_{file},
      out_{environment.out},
      is_shown_{is_standard() && environment.out_fd >= 0 && is_terminal(environment.out_fd)} {}

  bool is_standard() const { return file_ == "-"; }

  caf::error open() { return is_standard() ? caf::error{} : written_.open(file_); }

  caf::error write(std::string_view line) {
    std::string shown;
    if (is_shown_)
      line = shown = to_safe_json(line);
    if (!is_standard()) {
      written_.write(line);
      return {};
    }
    if (out_.write(line.data(), static_cast<std::streamsize>(line.size())))
      return {};
    return fail(errc::storage_unavailable, "", "expected a standard output that can be written");
  }

  caf::error finish() {
    if (is_standard())
      return {};
    auto err = written_.finish();
    return err ? err : written_.commit();
  }

private:
  std::filesystem::path file_;
  std::ostream& out_;
  bool is_shown_; ///< on a terminal: unsafe characters are escaped; else the bytes stay the same
  output_file written_;
};

exit_code write(const std::vector<std::string>& agents, const storage& from,
  const pii_masker* masker, const export_options& options, const command_environment& environment) {
  destination to{options.file, environment};
  if (auto err = to.open())
    return complain_of_input(environment, err);
  exporter lines{
    [&](std::string_view line) { return to.write(line); }, masker, from.directory->files()};
  for (const auto& agent_id : agents) {
    slow_progress bar{environment, "changes", agent_id};
    if (auto err = lines.add(*from.store, agent_id, std::ref(bar)))
      return complain(environment, err);
  }
  auto err = lines.finish();
  if (!err)
    err = to.finish();
  if (err)
    return complain(environment, err);
  if (!to.is_standard())
    print_counts(lines.counts(), options.agent.json, environment);
  return finish(environment);
}

/// Passes the lines of an export on as they arrive, and reads the last one.
class arriving_export {
public:
  explicit arriving_export(destination& to)
    : to_{to} {}

  caf::error take(std::string_view piece) {
    while (!piece.empty()) {
      auto end = piece.find('\n');
      auto part = piece.substr(0, end == std::string_view::npos ? end : end + 1);
      line_ += part;
      piece.remove_prefix(part.size());
      if (line_.size() > importer::max_bytes + 1)
        return fail(errc::storage_unavailable, "server", "expected the lines of an export");
      if (line_.ends_with('\n')) {
        if (auto err = to_.write(line_))
          return err;
        last_.swap(line_);
        line_.clear();
      }
    }
    return {};
  }

  /// The last line; the error if it is not that of a complete export.
  caf::expected<end_line> end() const {
    auto last = from_json_text<end_line>(std::string_view{last_}.substr(0, last_.find('\n')));
    if (last && last->line == export_line::end && line_.empty())
      return *last;
    return fail(errc::storage_unavailable, "server", "expected the last line of an export");
  }

private:
  destination& to_;
  std::string line_;
  std::string last_;
};

exit_code receive_export(
  const stored_data& from, const export_options& options, const command_environment& environment) {
  if (!options.agent.config.empty())
    return complain(environment,
      fail(errc::invalid_request, "--config",
        "expected none: the process that has the data directory open masks as it is configured"));
  destination to{options.file, environment};
  if (auto err = to.open())
    return complain_of_input(environment, err);
  arriving_export lines{to};
  auto target = client::export_target(options.agent.agent == all_agents ? "" : options.agent.agent);
  auto err = download_stored(
    from, options.agent.data, target, [&](std::string_view piece) { return lines.take(piece); });
  auto counts = err ? caf::expected<end_line>{err} : lines.end();
  if (counts)
    err = to.finish();
  if (!counts || err) {
    auto refused = complain(environment, counts ? err : counts.error());
    if (to.is_standard())
      warn(environment, "what was written is no complete export");
    return refused;
  }
  if (!to.is_standard())
    print_counts(*counts, options.agent.json, environment);
  return finish(environment);
}

namespace fs = std::filesystem;

/// The input of an import, and its size.
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

/// Adds the line to an error about the file. An error of the storage stays as it is.
caf::error at_line(const source_of_lines& from, size_t line, const caf::error& err) {
  if (code_of(err) != errc::invalid_request && code_of(err) != errc::conflict)
    return err;
  return bad_input(from.name(), line, field_of(err), expectation_of(err));
}

caf::error read(source_of_lines& from, importer& to, slow_progress& bar) {
  line_reader lines{*from.in(), importer::max_bytes};
  uint64_t done = 0;
  for (std::string line; lines.next(line);) {
    auto err = line.size() > importer::max_bytes ? fail(errc::invalid_request, "",
                 "expected at most " + std::to_string(importer::max_bytes) + " bytes")
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

/// Imports the lines into a database, in one transaction. `files` is the folder with the files of
/// its agents; "": it has none yet.
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
    return whole.error(); // otherwise the rest of its log would be overwritten
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

exit_code run_export(const export_options& options, const command_environment& environment) {
  if (auto err = check_agent_id(options.agent.agent))
    return complain(environment, err);
  auto stored = find_stored(options.agent.data, options.agent.server, options.agent.ca_file);
  if (!stored)
    return complain_of_input(environment, stored.error());
  if (!stored->here)
    return receive_export(*stored, options, environment);
  auto with = load_config_file(options.agent.config);
  if (!with)
    return complain_of_input(environment, with.error());
  auto agents = agents_of(*stored->here->store, options.agent.agent);
  if (!agents)
    return complain(environment, agents.error());
  privacy_policy policy{with->privacy};
  return write(*agents, *stored->here, policy.masks_on_export() ? &policy.masker() : nullptr,
    options, environment);
}

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

void print_counts(const end_line& counts, bool json, const command_environment& environment) {
  if (json) {
    environment.out << to_json_text(counts) << '\n';
    return;
  }
  environment.out << count_of(counts.agents, "agent") << ": " << count_of(counts.events, "change")
                  << ", " << counts.archived << " archived, "
                  << count_of(counts.documents, "document") << ", "
                  << count_of(counts.files, "file") << '\n';
}

} // namespace scratchpage
