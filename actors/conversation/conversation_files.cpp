#include "scratchpage/actors/conversation/conversation_files.hpp"

#include "scratchpage/persistence/files/file_name.hpp"

namespace scratchpage {

namespace {

std::string results_folder(std::string_view thread_id) {
  return "tool_results/" + file_name_for(thread_id) + "/";
}

} // namespace

std::string log_path(std::string_view thread_id) {
  return "conversations/" + file_name_for(thread_id) + ".jsonl";
}

std::string history_path(std::string_view thread_id) {
  return "conversation_history/" + file_name_for(thread_id) + ".md";
}

std::string result_path(std::string_view thread_id, std::string_view text) {
  return results_folder(thread_id) + file_name_of_content(text) + ".txt";
}

bool is_of_conversation(std::string_view path, std::string_view thread_id) {
  if (check_file_path(path))
    return false;
  return path == history_path(thread_id) || path.starts_with(results_folder(thread_id));
}

} // namespace scratchpage
