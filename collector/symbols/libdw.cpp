#include "collector/symbols/libdw.h"

#include <dlfcn.h>

namespace lapscope::symbols::dw {
namespace {

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

bool load(Libdw& dw) {
  void* library = ::dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return false;
  return find(library, "dwfl_begin", dw.begin) && find(library, "dwfl_end", dw.end) &&
         find(library, "dwfl_report_begin", dw.report_begin) &&
         find(library, "dwfl_report_end", dw.report_end) &&
         find(library, "dwfl_report_elf", dw.report_elf) &&
         find(library, "dwfl_module_addrdie", dw.module_addrdie) &&
         find(library, "dwfl_module_getsrc", dw.module_getsrc) &&
         find(library, "dwfl_module_addrinfo", dw.module_addrinfo) &&
         find(library, "dwfl_lineinfo", dw.lineinfo) &&
         find(library, "dwfl_line_comp_dir", dw.line_comp_dir) &&
         find(library, "dwfl_build_id_find_elf", dw.build_id_find_elf) &&
         find(library, "dwfl_standard_find_debuginfo", dw.standard_find_debuginfo) &&
         find(library, "dwfl_offline_section_address", dw.offline_section_address) &&
         find(library, "dwarf_getscopes", dw.getscopes) &&
         find(library, "dwarf_getscopes_die", dw.getscopes_die) &&
         find(library, "dwarf_tag", dw.tag) && find(library, "dwarf_diename", dw.diename) &&
         find(library, "dwarf_attr", dw.attr) &&
         find(library, "dwarf_attr_integrate", dw.attr_integrate) &&
         find(library, "dwarf_formstring", dw.formstring) &&
         find(library, "dwarf_formudata", dw.formudata) &&
         find(library, "dwarf_formref_die", dw.formref_die) &&
         find(library, "dwarf_getsrcfiles", dw.getsrcfiles) &&
         find(library, "dwarf_filesrc", dw.filesrc);
}

}  // namespace

const Libdw* Libdw::get() {
  static Libdw dw{};
  static const bool is_loaded = load(dw);
  return is_loaded ? &dw : nullptr;
}

}  // namespace lapscope::symbols::dw
