#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "collector/symbols/libdw.h"

namespace lapscope::symbols {

// A function that an address is in. The names are those of the source; paths as the compiler wrote
// them, made absolute.
struct SourceFrame {
  std::string function;     // demangled; empty when not known
  std::string file;         // empty when not known
  std::int64_t line = 0;    // 0 when not known
  bool is_inlined = false;  // into the frame after it
};

// What libdw knows of the code of one file.
class ModuleSymbols {
 public:
  explicit ModuleSymbols(const std::filesystem::path& path);
  ~ModuleSymbols();
  ModuleSymbols(const ModuleSymbols&) = delete;
  ModuleSymbols& operator=(const ModuleSymbols&) = delete;

  // The function at an address that the linker gave (ElfFile::address_of), behind those that are
  // inlined into it there, innermost first. Empty when nothing is known. Of a return address, ask
  // for the byte before: the call may be the last of its function.
  std::vector<SourceFrame> at(std::uint64_t address) const;

 private:
  std::vector<SourceFrame> inlined_at(dw::Die* unit, std::uint64_t address) const;
  std::string symbol_at(std::uint64_t address) const;

  const dw::Libdw* dw_;
  dw::Dwfl* dwfl_ = nullptr;
  dw::Module* module_ = nullptr;
};

// As a linker's symbol names it; the text itself where it is no mangled name.
std::string demangled(const char* symbol);

}  // namespace lapscope::symbols
