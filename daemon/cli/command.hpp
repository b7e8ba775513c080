// The command line as a table: what a command is called, what it takes, what it does. Parsing,
// help, the manual and completions all read it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tofud::cli {

/// Thrown while an option is read: the sentence goes to stderr, the status is 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An option, a flag or an operand. Where its text goes outlives the reading.
class option {
 public:
  using read_text = std::function<void(const std::string&)>;
  using read_texts = std::function<void(const std::vector<std::string>&)>;
  using read_number = std::function<void(unsigned)>;
  using read_flag = std::function<void(bool)>;  // false: --flag=false
  using target = std::variant<bool*, std::string*, std::vector<std::string>*, std::uint64_t*,
                              read_text, read_texts, read_number, read_flag>;

  option(std::string_view names, target into, std::string help);

  /// What the value is called in help, such as FILE; "": nothing is said of it.
  option& value(std::string name);
  /// The only values that there are.
  option& one_of(std::vector<std::string> words);
  /// The same, told and not checked: who reads the texts does that.
  option& told_words(std::vector<std::string> words);
  /// Gives a sentence about a text that is wrong, else "".
  option& check(std::function<std::string(const std::string&)> wrong);
  /// The environment's variable that counts where the option is not given.
  option& variable(std::string name);
  option& required();
  /// May be repeated and takes one text each time; without it, all that follow.
  option& one_each();
  option& excludes(option& other);
  /// The heading in help under which it stands.
  option& group(std::string heading);

  const std::vector<std::string>& names() const { return names_; }
  const std::string& operand() const { return operand_; }  // empty: it has names
  const std::string& value_name() const { return value_; }
  const std::vector<std::string>& words() const { return words_; }
  const std::string& help() const { return help_; }
  const std::string& variable_name() const { return variable_; }
  bool is_flag() const;

 private:
  friend class command_line;

  std::vector<std::string> names_;  // with their dashes, long ones first
  std::string operand_, spelled_, help_, value_, variable_, group_;
  bool value_is_named_ = false, is_required_ = false, one_each_ = false, words_are_checked_ = true;
  std::vector<std::string> words_;
  std::function<std::string(const std::string&)> wrong_;
  std::vector<const option*> excluded_;
  target into_;
};

class command {
 public:
  command(std::string name, std::string description)
      : name_{std::move(name)}, description_{std::move(description)} {}
  command(const command&) = delete;
  command& operator=(const command&) = delete;

  /// References stay good as long as this.
  command& add_command(std::string name, std::string description);
  option& add_option(std::string_view names, std::string& into, std::string help = {});
  option& add_option(std::string_view names, std::vector<std::string>& into, std::string help = {});
  option& add_option(std::string_view names, std::uint64_t& into, std::string help = {});
  option& read_option(std::string_view names, option::read_text read, std::string help = {});
  option& read_options(std::string_view names, option::read_texts read, std::string help = {});
  option& read_number(std::string_view names, option::read_number read, std::string help = {});
  option& add_flag(std::string_view names, bool& into, std::string help = {});
  option& read_flag(std::string_view names, option::read_flag read, std::string help = {});

  /// What stands below the options in help.
  void footer(std::string text) { footer_ = std::move(text); }
  /// Commands of a program that is run by one of these, for whoever forgets to say so.
  void wraps(std::vector<std::string_view> commands) { wrapped_ = std::move(commands); }
  /// Neither help nor completions nor the manual say of it.
  void hide() { hidden_ = true; }

  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  bool is_hidden() const { return hidden_; }
  const std::deque<option>& options() const { return options_; }
  const std::deque<command>& commands() const { return commands_; }

  /// Once its options are read; returns the exit status. None: one of its commands has to be named.
  std::function<int()> run;

 private:
  friend class command_line;

  std::string name_, description_, footer_;
  bool hidden_ = false;
  std::vector<std::string_view> wrapped_;
  std::deque<option> options_;
  std::deque<command> commands_;
};

/// The names of a table, for option::one_of.
template <class Value>
std::vector<std::string> names_in(const std::map<std::string, Value>& table) {
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const auto& [name, value] : table) names.push_back(name);
  return names;
}

/// A reader that has gone (`| head`) ends this program as it ends any filter.
void ends_with_its_reader();

/// A check for option::check: there has to be a file.
std::string existing_file(const std::string& path);

/// Every command has these two; the program has --version as well.
inline constexpr std::string_view help_names = "-h,--help", help_all_names = "--help-all";
inline constexpr std::string_view help_help = "Print this help",
                                  help_all_help = "Print the help of every command";

/// Reads the arguments and runs the command they name, else `line` itself. Help and the version go
/// to stdout, status 0; a usage error to stderr, status 2.
int run_one(command& line, std::string_view version, int argc, const char* const* argv);

/// Reads words, and the environment, into the options of `line`, and runs nothing. Returns what is
/// wrong, else "".
std::string read_words(command& line, std::vector<std::string> words);

}  // namespace tofud::cli
