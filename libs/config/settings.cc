#include "libs/config/settings.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace komadai::config {
namespace {

std::string EnvNameOf(const std::string& name) {
  std::string env = "KOMADAI_" + name;
  for (char& c : env) {
    c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return env;
}

// The content of a secret's file without the newline that editors and mounts put at the end.
std::optional<std::string> ReadSecretFile(const std::string& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

ParseOutcome Print(std::string text) { return {.to_stdout = std::move(text)}; }

}  // namespace

std::string Settings::Entry::EnvName() const { return EnvNameOf(name); }

Settings::Settings(std::string program, std::string description)
    : program_(std::move(program)), description_(std::move(description)) {}
Settings::~Settings() = default;

void Settings::Section(std::string title) { section_ = std::move(title); }

void Settings::AddRule(std::function<std::string()> rule) { rules_.push_back(std::move(rule)); }

void Settings::Register(Entry entry) {
  for (Entry& known : entries_) {
    if (known.name != entry.name) continue;
    KOMADAI_CHECK(known.type == entry.type);
    known.also.push_back(std::move(entry.assign));
    return;
  }
  entry.section = section_;
  entry.default_text = ShownText(entry.show());
  entries_.push_back(std::move(entry));
}

// The texts the command line and the environment give, by setting name.
struct Settings::Given {
  std::map<std::string, std::string> flags;
  const Environment& environment;

  // The text and where it comes from, e.g. "--listen". A flag wins over the environment; an empty
  // variable counts as not set, because that is what `VAR=` in env files and charts means.
  std::optional<std::pair<std::string, std::string>> Find(const std::string& name) const {
    if (const auto flag = flags.find(name); flag != flags.end()) {
      return std::pair("--" + name, flag->second);
    }
    const std::string env = EnvNameOf(name);
    const char* value = environment(env.c_str());
    if (value == nullptr || *value == '\0') return std::nullopt;
    return std::pair(env, std::string(value));
  }
};

ParseOutcome Settings::Parse(const std::vector<std::string>& args, const Environment& environment) {
  CLI::App app(description_, program_);
  app.set_help_flag("--help,-h");
  bool version = false;
  bool print_config = false;
  app.add_flag("--version", version);
  app.add_flag("--print-config", print_config);
  Given given{{}, environment};
  std::map<std::string, CLI::Option*> options;
  for (const Entry& entry : entries_) {
    const std::string flag = "--" + entry.name;
    options[entry.name] = entry.is_flag ? app.add_flag(flag) : app.add_option(flag);
    if (entry.is_secret) options[entry.name + "-file"] = app.add_option(flag + "-file");
  }
  try {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));  // CLI11 wants them reversed
  } catch (const CLI::CallForHelp&) {
    return Print(Help());
  } catch (const CLI::ParseError& e) {
    return {.exit_code = 2,
            .to_stderr = program_ + ": " + e.what() + "\nTry --help for all settings.\n"};
  }
  if (version) return Print(Version() + "\n");
  for (const auto& [name, option] : options) {
    if (!option->results().empty()) given.flags[name] = option->results().back();
  }
  std::vector<std::string> errors = AssignAll(given);
  if (errors.empty()) {
    for (const auto& rule : rules_) {
      if (std::string wrong = rule(); !wrong.empty()) errors.push_back(std::move(wrong));
    }
  }
  if (!errors.empty()) {
    ParseOutcome outcome{.exit_code = 2};
    for (const std::string& error : errors) outcome.to_stderr += program_ + ": " + error + "\n";
    return outcome;
  }
  if (print_config) return Print(PrintConfig() + "\n");
  return {.proceed = true};
}

std::vector<std::string> Settings::AssignAll(const Given& given) {
  std::vector<std::string> errors;
  for (Entry& entry : entries_) {
    std::optional<std::pair<std::string, std::string>> found = given.Find(entry.name);
    if (entry.is_secret) {
      if (const auto file = given.Find(entry.name + "-file"); file && !found) {
        std::optional<std::string> text = ReadSecretFile(file->second);
        if (!text) {
          errors.push_back(file->first + ": " + file->second + " cannot be read");
          continue;
        }
        found = std::pair(file->first, std::move(*text));
      }
    }
    const std::string* text = found ? &found->second : nullptr;
    const std::string source = found ? found->first : "--" + entry.name;
    std::string wrong = entry.assign(text);
    for (auto& assign : entry.also) {
      if (wrong.empty()) wrong = assign(text);
    }
    if (wrong.empty()) continue;
    const bool show_text =
        text != nullptr && entry.type != typeid(Secret) && entry.type != typeid(SecretUrl);
    errors.push_back(source + (show_text ? " \"" + *text + "\" " : " ") + wrong);
  }
  return errors;
}

void Settings::ParseOrExit(int argc, const char* const* argv) {
  const std::vector<std::string> args(argv + std::min(1, argc), argv + argc);
  const ParseOutcome outcome = Parse(args, [](const char* name) { return std::getenv(name); });
  std::cout << outcome.to_stdout << std::flush;
  std::cerr << outcome.to_stderr << std::flush;
  for (const std::string& warning : Misspelt(VariableNames())) {
    std::cerr << program_ << ": warning: " << warning << "\n";
  }
  if (!outcome.proceed) std::exit(outcome.exit_code);
}

std::string Settings::Help() const {
  std::string help =
      program_ + ": " + description_ + "\n\nUsage: " + program_ +
      " [--SETTING VALUE]...\n"
      "Every setting can be given as a flag or as a variable. A flag takes precedence.\n";
  std::string section;
  for (const Entry& entry : entries_) {
    if (entry.section != section) {
      section = entry.section;
      help += "\n" + section + "\n";
    }
    help += "  --" + entry.name + " " + std::string(entry.type_name) + "\n      " + entry.help;
    help += entry.default_text.empty() ? "" : " (default: " + entry.default_text + ")";
    help += " [" + entry.EnvName() + "]\n";
    if (entry.is_secret) {
      help += "  --" + entry.name + "-file FILE\n      the same, read from a file [" +
              entry.EnvName() + "_FILE]\n";
    }
  }
  help +=
      "\n  --print-config   show the effective settings as JSON, secrets masked\n"
      "  --version        show the version\n"
      "  --help           show this text\n";
  return help;
}

std::string Settings::PrintConfig() const {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const Entry& entry : entries_) {
    std::visit([&](const auto& value) { json[entry.name] = value; }, entry.show());
  }
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string Settings::Version() const { return program_ + " " KOMADAI_VERSION; }

}  // namespace komadai::config
