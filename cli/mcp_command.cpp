#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace lapscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* server = "lapscope-mcp";

// Replaces this process with the MCP server of the Python package (exec). Returns only if the
// server is not installed.
void become_server(const std::vector<std::string>& folders) {
  std::vector<char*> arguments;
  std::string name = server;
  arguments.push_back(name.data());
  std::vector<std::string> copies = folders;
  for (std::string& folder : copies) arguments.push_back(folder.data());
  arguments.push_back(nullptr);
  std::error_code error;
  const fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path() / server;
  if (!error) ::execv(beside.c_str(), arguments.data());
  ::execvp(server, arguments.data());
}

}  // namespace

void add_mcp(CLI::App& app) {
  auto folders = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand(
      "mcp", "Answer an agent's questions about traces (Model Context Protocol)");
  command
      ->add_option(
          "FOLDER", *folders,
          "Folder whose traces the agent may read. mcp reads no traces outside these folders")
      ->required();
  command->footer(
      "mcp uses standard input and output, and writes no files. docs/python.md describes its "
      "tools.\nExit status: that of lapscope-mcp; 2 usage error, 4 lapscope-mcp is not installed.");
  command->callback([folders] {
    become_server(*folders);
    say("'", server,
        "' is neither beside this program nor on PATH. It comes with the Python package: pip "
        "install 'lapscope[mcp]'.");
    throw CLI::RuntimeError(unreadable);
  });
}

}  // namespace lapscope::cli
