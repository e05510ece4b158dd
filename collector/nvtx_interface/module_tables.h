#pragma once

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

#include <array>
#include <cstdint>

// What NVTX offers to tools; its headers declare it only together with NVTX's implementation.
namespace lapscope::nvtx {

using AnyFunction = void (*)();

inline constexpr int core = 1;  // modules of functions
inline constexpr int core2 = 5;

// A function of NVTX: where its pointer is in the tables of a module that uses NVTX.
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

// The tables of one module (a program or library) that uses NVTX: where it keeps its pointers to
// NVTX's functions, for a tool to set.
class ModuleTables {
 public:
  static constexpr unsigned most = 16;  // functions in a module

  // What NVTX hands to a tool's entry point; may be null.
  explicit ModuleTables(void* get_export_table);

  // Null where this module has no such function.
  AnyFunction* place(int module, unsigned id) const;

 private:
  struct Table {
    int module = 0;
    AnyFunction** functions = nullptr;
    unsigned size = 0;
  };
  std::array<Table, 2> tables_{{{core}, {core2}}};
};

}  // namespace lapscope::nvtx
