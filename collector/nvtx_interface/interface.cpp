#include "collector/nvtx_interface/interface.h"

#include <cstdint>

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

std::string utf8(const char* text) { return text ? text : ""; }

std::string utf8(const wchar_t* text) {
  std::string bytes;
  const auto tail = [&bytes](std::uint32_t six_bits) {
    bytes += static_cast<char>(0x80 | (six_bits & 0x3F));
  };
  for (; text && *text; ++text) {
    const auto code = static_cast<std::uint32_t>(*text);
    if (code < 0x80) {
      bytes += static_cast<char>(code);
    } else if (code < 0x800) {
      bytes += static_cast<char>(0xC0 | code >> 6);
      tail(code);
    } else if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
      bytes += '?';
    } else if (code < 0x10000) {
      bytes += static_cast<char>(0xE0 | code >> 12);
      tail(code >> 6);
      tail(code);
    } else {
      bytes += static_cast<char>(0xF0 | code >> 18);
      tail(code >> 12);
      tail(code >> 6);
      tail(code);
    }
  }
  return bytes;
}

}  // namespace lapscope::nvtx
