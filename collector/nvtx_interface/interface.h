#pragma once

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

#include <array>
#include <string>

// NVTX's interface for tools. NVTX's headers declare it only together with its implementation.
namespace lapscope::nvtx {

using AnyFunction = void (*)();

inline constexpr int core = 1;   // NVTX_CB_MODULE_CORE: a group of functions
inline constexpr int core2 = 5;  // NVTX_CB_MODULE_CORE2

// An NVTX function: its type, and the table (Module) and index (Id) of its pointer.
template <int Module, unsigned Id, class Result, class... Arguments>
struct Function {
  using Pointer = Result (*)(Arguments...);
  static constexpr int module = Module;
  static constexpr unsigned id = Id;
};

using Attributes = const nvtxEventAttributes_t*;
using DomainHandle = nvtxDomainHandle_t;
using StringHandle = nvtxStringHandle_t;
using MarkEx = Function<core, 1, void, Attributes>;
using RangeStartEx = Function<core, 4, nvtxRangeId_t, Attributes>;
using RangeStartA = Function<core, 5, nvtxRangeId_t, const char*>;
using RangeStartW = Function<core, 6, nvtxRangeId_t, const wchar_t*>;
using RangeEnd = Function<core, 7, void, nvtxRangeId_t>;
using RangePushEx = Function<core, 8, int, Attributes>;
using RangePushA = Function<core, 9, int, const char*>;
using RangePushW = Function<core, 10, int, const wchar_t*>;
using RangePop = Function<core, 11, int>;
using DomainMarkEx = Function<core2, 1, void, DomainHandle, Attributes>;
using DomainRangeStartEx = Function<core2, 2, nvtxRangeId_t, DomainHandle, Attributes>;
using DomainRangeEnd = Function<core2, 3, void, DomainHandle, nvtxRangeId_t>;
using DomainRangePushEx = Function<core2, 4, int, DomainHandle, Attributes>;
using DomainRangePop = Function<core2, 5, int, DomainHandle>;
using DomainRegisterStringA = Function<core2, 10, StringHandle, DomainHandle, const char*>;
using DomainRegisterStringW = Function<core2, 11, StringHandle, DomainHandle, const wchar_t*>;
using DomainCreateA = Function<core2, 12, DomainHandle, const char*>;
using DomainCreateW = Function<core2, 13, DomainHandle, const wchar_t*>;

// The function tables of one program or library that uses NVTX. The program or library calls NVTX
// through the pointers in these tables, and a tool can replace the pointers.
class ModuleTables {
 public:
  static constexpr unsigned most = 16;  // functions in one table

  // `get_export_table` is the argument that NVTX passes to a tool's entry point; may be null.
  explicit ModuleTables(void* get_export_table);

  // Returns the address of the table entry (a function pointer); null if there is none.
  AnyFunction* place(int module, unsigned id) const;

 private:
  struct Table {
    int module = 0;
    AnyFunction** functions = nullptr;
    unsigned size = 0;
  };
  std::array<Table, 2> tables_{{{core}, {core2}}};
};

// Converts a wide text (UTF-32 on Linux) to UTF-8, with "?" for invalid characters. Returns an
// empty text for null.
std::string utf8(const wchar_t* text);

// Returns a copy of the text; empty for null.
std::string utf8(const char* text);

}  // namespace lapscope::nvtx
