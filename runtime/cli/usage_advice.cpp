#include "scratchpage/runtime/cli/usage_advice.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "scratchpage/messages/text/display_text.hpp"
#include "scratchpage/runtime/cli/io/did_you_mean.hpp"

namespace scratchpage {

namespace {

constexpr size_t most_shown = 64; // bytes of a wrong word

std::vector<const CLI::App*> commands_of(const CLI::App& x) {
  return x.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> result;
  for (const auto* one : commands)
    result.push_back(one->get_name());
  return result;
}

std::string listed(const std::vector<std::string>& names) {
  std::string result;
  for (const auto& name : names)
    result.append(result.empty() ? "" : ", ").append(name);
  return result;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> result;
  for (const auto* option : command.get_options()) {
    for (const auto& name : option->get_snames())
      result.push_back("-" + name);
    for (const auto& name : option->get_lnames())
      result.push_back("--" + name);
  }
  return result;
}

std::string in_quotes(std::string_view word) {
  return "'" + escaped(utf8::shortened(word, most_shown)) + "'";
}

/// Follows the words of a command line to the command that they name, and to the first word that
/// it does not know.
class word_reader {
public:
  word_reader(const CLI::App& app, int argc, const char* const* argv)
    : at_{&app} {
    for (int i = 1; i < argc; ++i)
      words_.emplace_back(argv[i]);
  }

  /// What is wrong; "" if every command and option is known.
  std::string read() {
    for (size_t i = 0; i < words_.size(); ++i) {
      std::string_view word = words_[i];
      if (word == "--")
        break;
      if (word.size() > 1 && word.front() == '-') {
        const auto* option = find_option(word);
        if (option == nullptr)
          return unknown_option(word.substr(0, word.find('=')));
        if (option->get_items_expected_max() > 0 && word.find('=') == std::string_view::npos)
          ++i; // its value
      } else if (auto commands = commands_of(*at_); !commands.empty()) {
        auto found = std::find_if(commands.begin(), commands.end(),
          [word](const CLI::App* x) { return x->get_name() == word; });
        if (found == commands.end())
          return unknown_command(word, names_of(commands));
        at_ = *found;
        path_.append(" ").append(word);
      }
    }
    return {};
  }

  const CLI::App& command() const { return *at_; }
  const std::string& path() const { return path_; }

private:
  const CLI::Option* find_option(std::string_view word) const {
    auto name = std::string{word.substr(0, word.find('='))};
    if (const auto* found = at_->get_option_no_throw(name))
      return found;
    auto is_short = name.size() > 2 && name[1] != '-'; // its value is in the same word
    return is_short ? at_->get_option_no_throw(name.substr(0, 2)) : nullptr;
  }

  std::string unknown_option(std::string_view name) const {
    if (commands_of(*at_).empty() || at_->get_parent() != nullptr)
      return in_quotes(path_) + " has no option " + in_quotes(name)
             + did_you_mean(name, option_names(*at_));
    for (const auto* command : commands_of(*at_))
      if (command->get_option_no_throw(std::string{name}) != nullptr)
        return "the option " + escaped(name) + " follows the command, such as in 'scratchpage "
               + command->get_name() + " " + escaped(name) + " …'";
    return "there is no option " + in_quotes(name) + did_you_mean(name, option_names(*at_));
  }

  std::string unknown_command(std::string_view word, const std::vector<std::string>& names) const {
    auto meant = did_you_mean(word, names);
    auto result = in_quotes(path_) + " has no command " + in_quotes(word);
    auto is_program = at_->get_parent() == nullptr;
    return result + (meant.empty() && !is_program ? "; it has " + listed(names) : meant);
  }

  const CLI::App* at_;
  std::string path_ = "scratchpage";
  std::vector<std::string> words_;
};

/// The example that has this word, or else the first one; "" if there is none.
std::string example_with(
  const CLI::App& command, const std::string& path, const std::string& word) {
  auto all = examples_of(command, path);
  auto found = std::find_if(all.begin(), all.end(),
    [&](const std::string& x) { return x.find(word) != std::string::npos; });
  if (found != all.end())
    return *found;
  return all.empty() ? "" : all.front();
}

/// The name of an option or an argument at the beginning of an error.
std::string name_in(std::string_view text) {
  return std::string{text.substr(0, text.find_first_of(": "))};
}

/// What is missing or too much, in other words than those of CLI11.
std::string about_values(const word_reader& words, const CLI::ParseError& why) {
  std::string text = why.what();
  auto add_example = [&](std::string sentence, const std::string& name) {
    auto example = example_with(words.command(), words.path(), name);
    return example.empty() ? sentence : sentence + ", for example: " + example;
  };
  if (dynamic_cast<const CLI::RequiredError*>(&why) != nullptr) {
    auto commands = commands_of(words.command());
    if (!commands.empty())
      return "expected a command after " + in_quotes(words.path()) + ": "
             + listed(names_of(commands));
    return add_example(text, name_in(text));
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&why) != nullptr) {
    auto name = name_in(text);
    if (text.find(": At Most ") != std::string::npos)
      return name + ": expected it once, but it is given several times";
    return add_example(name + ": expected a value", name);
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&why) != nullptr) {
    constexpr std::string_view before = ": ";
    auto at = text.find(before);
    auto word = at == std::string::npos ? text : text.substr(at + before.size());
    return "expected no further word such as " + in_quotes(word)
           + "; a text of several words needs quotation marks";
  }
  return text;
}

} // namespace

std::vector<std::string> examples_of(const CLI::App& command, const std::string& path) {
  std::vector<std::string> result;
  for (const auto* at = &command; at != nullptr && result.empty(); at = at->get_parent()) {
    std::istringstream lines{at->get_footer()};
    auto goes_on = false;
    for (std::string line; std::getline(lines, line);) {
      auto text = line.substr(std::min(line.find_first_not_of(' '), line.size()));
      if (goes_on)
        result.back() += text;
      else if (line.starts_with("  ") && text.starts_with(path + " "))
        result.push_back(text);
      else if (line.starts_with("  ") && text == path)
        result.push_back(text);
      else
        continue;
      goes_on = result.back().ends_with('\\');
      if (goes_on)
        result.back().pop_back();
    }
  }
  return result;
}

std::string usage_advice(
  const CLI::App& app, int argc, const char* const* argv, const CLI::ParseError& why) {
  word_reader words{app, argc, argv};
  auto wrong = words.read();
  if (wrong.empty())
    wrong = about_values(words, why);
  auto is_program = words.path() == "scratchpage";
  return "scratchpage: " + escaped(wrong) + "\nscratchpage: '" + words.path() + " --help' "
         + (is_program ? "lists the commands" : "shows its usage") + "\n";
}

} // namespace scratchpage
