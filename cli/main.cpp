#include <iostream>

#include "cli/commands.h"
#include "cli/exit_status.h"

int main(int argc, char** argv) {
  using namespace lapscope::cli;
  CLI::App app("Records what a CUDA program does on the GPU and tells how much of it overlaps.",
               "lapscope");
  app.set_version_flag("--version", "lapscope " LAPSCOPE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Example:\n  lapscope record -o t.sqlite -- ./app --its-options\n  lapscope analyze "
      "t.sqlite");
  add_record(app);
  add_analyze(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError& ended) {
    return ended.get_exit_code();
  } catch (const CLI::ParseError& error) {
    // Also --help and --version, which exit with 0.
    return app.exit(error, std::cout, std::cerr) == 0 ? good : usage;
  } catch (const std::exception& error) {
    std::cerr << "lapscope: " << error.what() << '\n';
    return unreadable;
  }
  return good;
}
