#include "collector/symbols/symbol_files.h"

#include <algorithm>

#include "collector/symbols/elf_file.h"
#include "collector/symbols/stored_chains.h"

namespace lapscope::symbols {
namespace {

namespace fs = std::filesystem;
using schema::ModuleRow;

std::string name_of(const fs::path& path) { return path.filename().string(); }

// Guesses the module that a file is meant for. For example, app.debug is meant for app. A file
// whose name fits no module is probably meant for the program.
const ModuleRow& meant_by(const fs::path& file, const std::vector<ModuleRow>& modules) {
  const auto first = [&](auto&& fits) {
    return std::find_if(modules.begin(), modules.end(), fits);
  };
  auto found = first(
      [&](const ModuleRow& module) { return name_of(file).starts_with(name_of(module.path)); });
  if (found == modules.end()) {
    found = first([](const ModuleRow& module) {
      return name_of(module.path).find(".so") == std::string::npos;
    });
  }
  return found == modules.end() ? modules.front() : *found;
}

}  // namespace

std::vector<UselessFile> useless_files(const fs::path& trace, const std::vector<fs::path>& files) {
  schema::Database database(trace, schema::Database::Mode::read_only);
  const StoredChains chains(database);
  const std::vector<ModuleRow>& modules = chains.modules();
  std::vector<UselessFile> useless;
  if (modules.empty()) return useless;
  for (const fs::path& path : files) {
    const auto file = ElfFile::open(path);
    const std::string build_id = file ? file->build_id() : "";
    const bool is_used =
        !build_id.empty() && std::any_of(modules.begin(), modules.end(), [&](const auto& module) {
          return module.buildId == build_id;
        });
    if (is_used) continue;
    const ModuleRow& module = meant_by(path, modules);
    useless.push_back(
        {path, file.has_value(), build_id, name_of(module.path), module.buildId.value_or("")});
  }
  return useless;
}

}  // namespace lapscope::symbols
