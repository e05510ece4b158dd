#include "collector/nvtx_interface/module_tables.h"

namespace lapscope::nvtx {
namespace {

struct ExportTableCallbacks {
  std::size_t struct_size;
  int (*get_module_function_table)(int module, AnyFunction*** table, unsigned* size);
};
using GetExportTable = const void* (*)(std::uint32_t id);
constexpr std::uint32_t export_table_callbacks = 1;

}  // namespace

ModuleTables::ModuleTables(void* get_export_table) {
  if (!get_export_table) return;
  const auto get = reinterpret_cast<GetExportTable>(get_export_table);
  const auto* callbacks = static_cast<const ExportTableCallbacks*>(get(export_table_callbacks));
  if (!callbacks || callbacks->struct_size < sizeof(ExportTableCallbacks)) return;
  for (Table& table : tables_) {
    if (!callbacks->get_module_function_table(table.module, &table.functions, &table.size)) {
      table.functions = nullptr;
    }
  }
}

AnyFunction* ModuleTables::place(int module, unsigned id) const {
  for (const Table& table : tables_) {
    if (table.module == module && table.functions && id < table.size && id < most) {
      return table.functions[id];
    }
  }
  return nullptr;
}

}  // namespace lapscope::nvtx
