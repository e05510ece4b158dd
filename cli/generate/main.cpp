#include <filesystem>
#include <fstream>
#include <functional>

#include "cli/commands.h"
#include "cli/generate/generated.h"

// Writes shell completions and the manual page into FOLDER, laid out like an installation's share/.
int main(int argc, char** argv) {
  using namespace lapscope::cli;
  namespace fs = std::filesystem;
  if (argc != 2) {
    say("usage: lapscope_generate FOLDER");
    return usage;
  }
  const std::vector<std::string> program;
  CLI::App app;
  add_commands(app, program);
  const auto write = [&](const char* place, const std::function<void(std::ostream&)>& content) {
    const fs::path path = fs::path(argv[1]) / place;
    fs::create_directories(path.parent_path());
    std::ofstream file(path);
    content(file);
    if (file.flush()) return true;
    say("'", path.string(), "' cannot be written.");
    return false;
  };
  const auto with = [&app](auto writer) { return [&app, writer](auto& out) { writer(app, out); }; };
  const bool written =
      write("bash-completion/completions/lapscope", with(write_bash_completion)) &&
      write("zsh/site-functions/_lapscope", with(write_zsh_completion)) &&
      write("fish/vendor_completions.d/lapscope.fish", with(write_fish_completion)) &&
      write("man/man1/lapscope.1",
            [&app](std::ostream& out) { write_manual(app, LAPSCOPE_VERSION, out); });
  return written ? good : unreadable;
}
