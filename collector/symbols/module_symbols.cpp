#include "collector/symbols/module_symbols.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <cstdlib>
#include <span>

#include "collector/symbols/demangled.h"

// ModuleSymbols in a build with libdw of elfutils.
namespace lapscope::symbols {
namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Scopes = std::unique_ptr<Dwarf_Die, Free>;

// Returns callbacks that look for separate debug files: beside the file, in the folder .debug,
// below /usr/lib/debug, and by build id.
const Dwfl_Callbacks& callbacks() {
  static char path[] = "-:.debug:/usr/lib/debug";
  static char* debuginfo_path = path;
  static const Dwfl_Callbacks result = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo,
                                        dwfl_offline_section_address, &debuginfo_path};
  return result;
}

std::string absolute(const char* file, const char* folder) {
  if (!file) return "";
  std::filesystem::path path(file);
  if (path.is_relative() && folder) path = std::filesystem::path(folder) / path;
  return path.lexically_normal().string();
}

// Returns the DWARF entry that declares a function. `die` may be the entry of an inlined function,
// or of a definition outside of its class. Such entries refer to the declaration.
Dwarf_Die declaration_of(Dwarf_Die die) {
  for (const unsigned int to : {DW_AT_abstract_origin, DW_AT_specification}) {
    Dwarf_Attribute attribute;
    Dwarf_Die origin;
    if (dwarf_attr(&die, to, &attribute) && dwarf_formref_die(&attribute, &origin)) die = origin;
  }
  return die;
}

// Returns the namespaces and classes around a function, for example "tiles::".
std::string qualifiers_of(Dwarf_Die die) {
  Dwarf_Die declaration = declaration_of(die);
  Dwarf_Die* found = nullptr;
  const int count = dwarf_getscopes_die(&declaration, &found);
  const Scopes scopes(found);
  std::string text;
  for (int i = 1; i < count; ++i) {
    Dwarf_Die& scope = scopes.get()[i];
    const int tag = dwarf_tag(&scope);
    if (tag != DW_TAG_namespace && tag != DW_TAG_class_type && tag != DW_TAG_structure_type) {
      continue;
    }
    const char* name = dwarf_diename(&scope);
    text = std::string(name ? name : "(anonymous namespace)") + "::" + text;
  }
  return text;
}

std::string name_of(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate(&die, DW_AT_linkage_name, &attribute)) {
    if (const char* name = dwarf_formstring(&attribute)) return demangled(name);
  }
  // A function with internal linkage has no linkage name.
  const char* name = dwarf_diename(&die);
  return name ? qualifiers_of(die) + name : "";
}

// The compiler has replaced a call by the code in `inlined`. Sets the file and line of `caller` to
// the place of that call.
void set_call(Dwarf_Die& unit, Dwarf_Die& inlined, SourceFrame& caller) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  caller.file.clear();
  caller.line = 0;
  if (dwarf_attr(&inlined, DW_AT_call_file, &attribute) &&
      dwarf_formudata(&attribute, &value) == 0) {
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrcfiles(&unit, &files, &count) == 0 && value < count) {
      caller.file = absolute(dwarf_filesrc(files, value, nullptr, nullptr), nullptr);
    }
  }
  if (dwarf_attr(&inlined, DW_AT_call_line, &attribute) &&
      dwarf_formudata(&attribute, &value) == 0) {
    caller.line = static_cast<std::int64_t>(value);
  }
}

std::vector<SourceFrame> inlined_at(Dwarf_Die* unit, std::uint64_t address) {
  Dwarf_Die* found = nullptr;
  const int count = dwarf_getscopes(unit, address, &found);
  const Scopes scopes(found);
  if (count <= 0) return {};
  // dwarf_getscopes_die() returns the scopes that lead from an inlined function to the function
  // that contains its code. dwarf_getscopes() returns the scopes that lead to the declaration of
  // the inlined function instead.
  Dwarf_Die* nested = nullptr;
  const int depth = dwarf_getscopes_die(&scopes.get()[0], &nested);
  const Scopes around(nested);
  std::vector<SourceFrame> frames;
  SourceFrame next;
  for (Dwarf_Die& die : std::span(around.get(), depth > 0 ? static_cast<std::size_t>(depth) : 0)) {
    const int tag = dwarf_tag(&die);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    next.function = name_of(die);
    next.is_inlined = tag == DW_TAG_inlined_subroutine;
    frames.push_back(next);
    if (!next.is_inlined) return frames;
    set_call(*unit, die, next);
  }
  return {};
}

std::string symbol_at(Dwfl_Module* module, std::uint64_t address) {
  GElf_Off offset = 0;
  GElf_Sym symbol{};
  const char* name =
      dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
  // In a stripped file, only exported functions have names. Code behind the end of an exported
  // function may belong to a nameless function.
  return name && offset < symbol.st_size ? demangled(name) : "";
}

}  // namespace

const bool ModuleSymbols::reads_lines = true;

struct ModuleSymbols::File {
  Dwfl* dwfl = dwfl_begin(&callbacks());
  Dwfl_Module* module = nullptr;

  File() = default;
  ~File() { dwfl_end(dwfl); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
};

ModuleSymbols::ModuleSymbols(const std::filesystem::path& path) : file_(std::make_unique<File>()) {
  Dwfl* const dwfl = file_->dwfl;
  if (!dwfl) return;
  dwfl_report_begin(dwfl);
  // Loads the file at address 0. All addresses are then link-time addresses.
  file_->module = dwfl_report_elf(dwfl, path.c_str(), path.c_str(), -1, 0, true);
  dwfl_report_end(dwfl, nullptr, nullptr);
}

ModuleSymbols::~ModuleSymbols() = default;

std::vector<SourceFrame> ModuleSymbols::at(std::uint64_t address) const {
  Dwfl_Module* module = file_->module;
  if (!module) return {};
  Dwarf_Addr bias = 0;
  std::vector<SourceFrame> frames;
  if (Dwarf_Die* unit = dwfl_module_addrdie(module, address, &bias)) {
    frames = inlined_at(unit, address - bias);
  }
  if (frames.empty()) frames.push_back({symbol_at(module, address), "", 0, false});
  if (Dwfl_Line* line = dwfl_module_getsrc(module, address)) {
    int number = 0;
    const char* file = dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr);
    frames.front().file = absolute(file, dwfl_line_comp_dir(line));
    frames.front().line = number;
  }
  // If DWARF gives no name, the linker's symbol may give one.
  if (frames.back().function.empty()) frames.back().function = symbol_at(module, address);
  if (frames.size() == 1 && frames.front().function.empty()) return {};
  return frames;
}

bool ModuleSymbols::has_unread_lines() const { return false; }

}  // namespace lapscope::symbols
