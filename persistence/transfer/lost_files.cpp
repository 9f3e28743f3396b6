#include "scratchpage/persistence/transfer/lost_files.hpp"

#include "scratchpage/messages/codec.hpp"
#include "scratchpage/persistence/files/directory_files.hpp"
#include "scratchpage/persistence/stored_files/book_checksum.hpp"
#include "scratchpage/persistence/stored_files/kept_versions.hpp"
#include "scratchpage/persistence/stored_files/stored_file.hpp"

namespace scratchpage {

namespace {

/// What is wrong with a file; "": nothing, or what whoever reads it finds as well.
std::string problem_of(directory_files& in, const std::string& path, const file_version& known) {
  constexpr json_limits limits{max_stored_file_bytes, 8, any_number_of_values};
  auto found = in.read(path, 0, max_stored_file_bytes);
  if (!found) // who saves the files tells of it
    return "";
  if (!*found)
    return missing_version(known);
  auto book = parse_json((*found)->bytes, limits);
  if (!book || !book->is_object())
    return "";
  auto version = take_version(book->get_object());
  return version ? version_problem(*version, known) : "";
}

} // namespace

void tell_lost_files(const std::filesystem::path& folder, const std::string& agent_id,
  const std::map<std::string, file_version>& versions, std::vector<loss>& lost) {
  directory_files in{folder};
  for (const auto& [path, known] : versions)
    if (auto problem = problem_of(in, path, known); !problem.empty())
      lost.push_back({agent_id, "file", path, problem});
}

} // namespace scratchpage
