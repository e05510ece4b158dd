#include "collector/symbols/demangled.h"
#include "collector/symbols/elf_file.h"
#include "collector/symbols/module_symbols.h"

// ModuleSymbols in a build without libdw.
namespace lapscope::symbols {

const bool ModuleSymbols::reads_lines = false;

struct ModuleSymbols::File {
  ElfSymbols symbols;
};

ModuleSymbols::ModuleSymbols(const std::filesystem::path& path)
    : file_(std::make_unique<File>(File{ElfSymbols(path)})) {}

ModuleSymbols::~ModuleSymbols() = default;

std::vector<SourceFrame> ModuleSymbols::at(std::uint64_t address) const {
  const std::string symbol = file_->symbols.at(address);
  if (symbol.empty()) return {};
  return {{demangled(symbol.c_str()), "", 0, false}};
}

bool ModuleSymbols::has_unread_lines() const { return file_->symbols.has_lines(); }

}  // namespace lapscope::symbols
