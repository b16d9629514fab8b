// Settings of a program: typed values with defaults, from flags and KOMADAI_* variables.
//
//   config::Settings settings("komadai-game", "Live games from creation to result.");
//   settings.Add("listen", &config.listen, "address to serve on", config::ListenAddress());
//   settings.ParseOrExit(argc, argv);     // --listen or KOMADAI_LISTEN; a flag wins
//
// Every setting is listed by --help with its type, default and variable; --print-config shows the
// effective values as JSON; --version the version. All errors are reported together, exit status 2.
// A Secret also gets --NAME-file (KOMADAI_NAME_FILE), which reads it from a file; secrets are never
// printed, neither as values nor as defaults.
//
// Not thread-safe; used at start only. Targets must outlive ParseOrExit().
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <typeindex>
#include <utility>
#include <vector>

#include "libs/base/check.h"
#include "libs/config/checks.h"
#include "libs/config/values.h"

namespace komadai::config {

// What a parse asks the program to do.
struct ParseOutcome {
  bool proceed = false;  // otherwise print the texts and exit
  int exit_code = 0;
  std::string to_stdout = {};
  std::string to_stderr = {};
};

class Settings {
 public:
  using Environment = std::function<const char*(const char*)>;  // getenv, or a fake in tests

  Settings(std::string program, std::string description);
  ~Settings();
  Settings(const Settings&) = delete;
  Settings& operator=(const Settings&) = delete;

  // Heads the settings that follow in --help.
  void Section(std::string title);

  // Registers a setting; the default is what *target holds now. `name` is lower-case with dashes.
  // When several components of one process add the same name (same type), the value reaches all
  // targets and the first default and help stand.
  template <typename T>
  void Add(const std::string& name, T* target, std::string help, Check<T> check = {}) {
    static_assert(!std::is_const_v<T>);
    Entry entry;
    entry.name = name;
    entry.help = std::move(help);
    entry.type_name = TypeName<T>();
    entry.type = typeid(T);
    entry.is_flag = std::is_same_v<T, bool>;
    entry.is_secret = std::is_same_v<T, Secret>;
    entry.show = [target] { return ShowValue(*target); };
    entry.assign = [target, check = std::move(check)](const std::string* text) -> std::string {
      T value = *target;
      if (text != nullptr) {
        if (std::string wrong = ReadValue(*text, &value); !wrong.empty()) return wrong;
      }
      if (check) {
        if (std::string wrong = check(value); !wrong.empty()) return wrong;
      }
      *target = std::move(value);
      return "";
    };
    Register(std::move(entry));
  }

  // A rule across settings, checked when all single values are fine: "" or a message.
  void AddRule(std::function<std::string()> rule);

  // Reads flags (without the program's name) and the environment into the targets.
  ParseOutcome Parse(const std::vector<std::string>& args, const Environment& environment);

  // A line for each of these variables that begins with KOMADAI_ and is within two letters of a
  // setting without being one. Others may be settings of another service: services share an
  // environment.
  std::vector<std::string> Misspelt(const std::vector<std::string>& variables) const;

  // The same for a main(): prints and exits unless the program shall run.
  void ParseOrExit(int argc, const char* const* argv);

  std::string Help() const;
  // Effective values as JSON, secrets masked.
  std::string PrintConfig() const;
  std::string Version() const;

 private:
  struct Entry {
    std::string name;
    std::string section;
    std::string help;
    std::string_view type_name;
    std::type_index type = typeid(void);
    bool is_flag = false;
    bool is_secret = false;
    std::string default_text;
    std::function<Shown()> show;
    // Null text: keep the default, but check it.
    std::function<std::string(const std::string* text)> assign;
    std::vector<std::function<std::string(const std::string* text)>> also;  // further targets
    std::string EnvName() const;
  };
  struct Given;

  void Register(Entry entry);
  std::vector<std::string> AssignAll(const Given& given);

  std::string program_;
  std::string description_;
  std::string section_;
  std::vector<Entry> entries_;
  std::vector<std::function<std::string()>> rules_;
};

// The names of the variables in the process's environment.
std::vector<std::string> VariableNames();

}  // namespace komadai::config
