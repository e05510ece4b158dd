#include "collector/symbols/module_symbols.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <span>

namespace lapscope::symbols {
namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

// Where separate debug files are looked for: beside the file, in .debug, and by build id.
const dw::Callbacks& callbacks(const dw::Libdw& dw) {
  static char path[] = "-:.debug:/usr/lib/debug";
  static char* debuginfo_path = path;
  static const dw::Callbacks result = {dw.build_id_find_elf, dw.standard_find_debuginfo,
                                       dw.offline_section_address, &debuginfo_path};
  return result;
}

std::string absolute(const char* file, const char* folder) {
  if (!file) return "";
  std::filesystem::path path(file);
  if (path.is_relative() && folder) path = std::filesystem::path(folder) / path;
  return path.lexically_normal().string();
}

// Where a function is declared: an inlined one is an entry of its own, and so is a definition
// outside of its class.
dw::Die declaration_of(const dw::Libdw& dw, dw::Die die) {
  for (const unsigned int to : {dw::at_abstract_origin, dw::at_specification}) {
    dw::Attribute attribute;
    dw::Die origin;
    if (dw.attr(&die, to, &attribute) && dw.formref_die(&attribute, &origin)) die = origin;
  }
  return die;
}

// "tiles::" of a function in that namespace.
std::string qualifiers_of(const dw::Libdw& dw, dw::Die die) {
  dw::Die declaration = declaration_of(dw, die);
  dw::Die* found = nullptr;
  const int count = dw.getscopes_die(&declaration, &found);
  const std::unique_ptr<dw::Die, Free> scopes(found);
  std::string text;
  for (int i = 1; i < count; ++i) {
    dw::Die& scope = scopes.get()[i];
    const int tag = dw.tag(&scope);
    if (tag != dw::tag_namespace && tag != dw::tag_class && tag != dw::tag_structure) continue;
    const char* name = dw.diename(&scope);
    text = std::string(name ? name : "(anonymous namespace)") + "::" + text;
  }
  return text;
}

std::string name_of(const dw::Libdw& dw, dw::Die& die) {
  dw::Attribute attribute;
  if (dw.attr_integrate(&die, dw::at_linkage_name, &attribute)) {
    if (const char* name = dw.formstring(&attribute)) return demangled(name);
  }
  // One that no other file can call has no linkage name.
  const char* name = dw.diename(&die);
  return name ? qualifiers_of(dw, die) + name : "";
}

// Where a function was inlined: the call that is not there.
void set_call(const dw::Libdw& dw, dw::Die& unit, dw::Die& inlined, SourceFrame& caller) {
  dw::Attribute attribute;
  std::uint64_t value = 0;
  caller.file.clear();
  caller.line = 0;
  if (dw.attr(&inlined, dw::at_call_file, &attribute) && dw.formudata(&attribute, &value) == 0) {
    dw::Files* files = nullptr;
    std::size_t count = 0;
    if (dw.getsrcfiles(&unit, &files, &count) == 0 && value < count) {
      caller.file = absolute(dw.filesrc(files, value, nullptr, nullptr), nullptr);
    }
  }
  if (dw.attr(&inlined, dw::at_call_line, &attribute) && dw.formudata(&attribute, &value) == 0) {
    caller.line = static_cast<std::int64_t>(value);
  }
}

}  // namespace

std::string demangled(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, Free> text(abi::__cxa_demangle(symbol, nullptr, nullptr, &status));
  std::string name = text && status == 0 ? text.get() : symbol;
  // A part of a function that the compiler made one of its own is that function to its reader.
  return name.substr(0, name.find(" [clone "));
}

ModuleSymbols::ModuleSymbols(const std::filesystem::path& path) : dw_(dw::Libdw::get()) {
  if (!dw_) return;
  dwfl_ = dw_->begin(&callbacks(*dw_));
  if (!dwfl_) return;
  dw_->report_begin(dwfl_);
  // At 0, so that addresses are the linker's own.
  module_ = dw_->report_elf(dwfl_, path.c_str(), path.c_str(), -1, 0, true);
  dw_->report_end(dwfl_, nullptr, nullptr);
}

ModuleSymbols::~ModuleSymbols() {
  if (dwfl_) dw_->end(dwfl_);
}

std::string ModuleSymbols::symbol_at(std::uint64_t address) const {
  dw::Address offset = 0;
  Elf64_Sym symbol{};
  const char* name =
      dw_->module_addrinfo(module_, address, &offset, &symbol, nullptr, nullptr, nullptr);
  // Of a stripped file only exported functions have names: what lies behind one is not in it.
  return name && offset < symbol.st_size ? demangled(name) : "";
}

std::vector<SourceFrame> ModuleSymbols::inlined_at(dw::Die* unit, std::uint64_t address) const {
  dw::Die* found = nullptr;
  const int count = dw_->getscopes(unit, address, &found);
  const std::unique_ptr<dw::Die, Free> scopes(found);
  if (count <= 0) return {};
  // These lead out of the inlined function into where it is declared; those of the entry itself
  // into where it was inlined.
  dw::Die* nested = nullptr;
  const int depth = dw_->getscopes_die(&scopes.get()[0], &nested);
  const std::unique_ptr<dw::Die, Free> around(nested);
  std::vector<SourceFrame> frames;
  SourceFrame next;
  for (dw::Die& die : std::span(around.get(), depth > 0 ? static_cast<std::size_t>(depth) : 0)) {
    const int tag = dw_->tag(&die);
    if (tag != dw::tag_inlined_subroutine && tag != dw::tag_subprogram) continue;
    next.function = name_of(*dw_, die);
    next.is_inlined = tag == dw::tag_inlined_subroutine;
    frames.push_back(next);
    if (!next.is_inlined) return frames;
    set_call(*dw_, *unit, die, next);
  }
  return {};
}

std::vector<SourceFrame> ModuleSymbols::at(std::uint64_t address) const {
  if (!module_) return {};
  dw::Address bias = 0;
  std::vector<SourceFrame> frames;
  if (dw::Die* unit = dw_->module_addrdie(module_, address, &bias)) {
    frames = inlined_at(unit, address - bias);
  }
  if (frames.empty()) frames.push_back({symbol_at(address), "", 0, false});
  if (dw::Line* line = dw_->module_getsrc(module_, address)) {
    int number = 0;
    const char* file = dw_->lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr);
    frames.front().file = absolute(file, dw_->line_comp_dir(line));
    frames.front().line = number;
  }
  // The linker's symbol has the parameters that DWARF's name may lack.
  if (frames.back().function.empty()) frames.back().function = symbol_at(address);
  if (frames.size() == 1 && frames.front().function.empty()) return {};
  return frames;
}

}  // namespace lapscope::symbols
