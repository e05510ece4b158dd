#include "cli/run.h"

#include <iostream>
#include <utility>

#include "cli/commands.h"
#include "cli/user_defaults.h"

namespace lapscope::cli {

int run(Words words) {
  words = usual_words(std::move(words));
  const bool records = !words.empty() && words.front() == "record";
  Words program;
  std::string defaults;  // path of the configuration file that was read

  CLI::App app;
  // `record` also exits with the status of the program that it runs. So the exit status does not
  // show whether the program was run, but the message does.
  const std::string end = records ? "; the program was not run" : "";
  app.failure_message([&](const CLI::App*, const CLI::Error& error) {
    if (dynamic_cast<const CLI::ConfigError*>(&error) != nullptr) {
      say(error.what(), end);
      return std::string();
    }
    const std::string near = near_miss(app, words);
    const std::size_t at = place_of_command(app, words);
    const std::string help = at < words.size() ? words[at] + " --help" : "--help";
    const std::string from =
        defaults.empty() ? "" : "; '" + defaults + "' was read, too (--no-config leaves it out)";
    say(near.empty() ? error.what() : near, " (see lapscope ", help, ")", from, end);
    return std::string();
  });
  add_commands(app, program);
  try {
    if (records) program = take_program(*app.get_subcommand("record"), words);
    defaults = add_user_defaults(app, words);
    app.parse(Words(words.rbegin(), words.rend()));
  } catch (const CLI::RuntimeError& ended) {
    return ended.get_exit_code();
  } catch (const CLI::ParseError& error) {
    // --help and --version end here, too, with status 0.
    return app.exit(error, std::cout, std::cerr) == 0 ? good : usage;
  } catch (const WrongUsage& wrong) {
    say(wrong.what());
    return usage;
  } catch (const std::exception& error) {
    say(error.what());
    return unreadable;
  }
  return good;
}

}  // namespace lapscope::cli
