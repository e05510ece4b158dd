#include "collector/nvtx/watch_calls.h"

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <utility>

namespace lapscope::nvtx {

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

namespace {

// NVTX's interface for tools; its headers declare it only together with NVTX's implementation.
using AnyFunction = void (*)();
using FunctionTable = AnyFunction**;  // by callback id, where the module keeps its pointer
struct ExportTableCallbacks {
  std::size_t struct_size;
  int (*get_module_function_table)(int module, FunctionTable* table, unsigned* size);
};
using GetExportTable = const void* (*)(std::uint32_t id);
constexpr std::uint32_t export_table_callbacks = 1;
constexpr int core = 1;
constexpr int core2 = 5;

// One function of NVTX: where its pointer is, and the function that CUPTI has put there. CUPTI puts
// the same into the tables of all modules.
template <int Module, unsigned Id, class Result, class... Arguments>
struct Slot {
  using Function = Result (*)(Arguments...);
  static constexpr int module = Module;
  static constexpr unsigned id = Id;
  static inline std::atomic<Function> cuptis{nullptr};
  static Result call(Arguments... arguments) {
    return cuptis.load(std::memory_order_acquire)(arguments...);
  }
};

using Attributes = const nvtxEventAttributes_t*;
using DomainHandle = nvtxDomainHandle_t;
using StringHandle = nvtxStringHandle_t;
using RangeStartEx = Slot<core, 4, nvtxRangeId_t, Attributes>;
using RangeStartA = Slot<core, 5, nvtxRangeId_t, const char*>;
using RangeStartW = Slot<core, 6, nvtxRangeId_t, const wchar_t*>;
using RangeEnd = Slot<core, 7, void, nvtxRangeId_t>;
using RangePushEx = Slot<core, 8, int, Attributes>;
using RangePushA = Slot<core, 9, int, const char*>;
using RangePushW = Slot<core, 10, int, const wchar_t*>;
using RangePop = Slot<core, 11, int>;
using DomainRangeStartEx = Slot<core2, 2, nvtxRangeId_t, DomainHandle, Attributes>;
using DomainRangeEnd = Slot<core2, 3, void, DomainHandle, nvtxRangeId_t>;
using DomainRangePushEx = Slot<core2, 4, int, DomainHandle, Attributes>;
using DomainRangePop = Slot<core2, 5, int, DomainHandle>;
using DomainRegisterStringA = Slot<core2, 10, StringHandle, DomainHandle, const char*>;
using DomainRegisterStringW = Slot<core2, 11, StringHandle, DomainHandle, const wchar_t*>;
using DomainCreateA = Slot<core2, 12, DomainHandle, const char*>;
using DomainCreateW = Slot<core2, 13, DomainHandle, const wchar_t*>;

bool watches() { return early_ranges().is_watching(); }

std::string text_of(const char* text) { return utf8(text); }
std::string text_of(const wchar_t* text) { return utf8(text); }
std::string text_of(Attributes attributes) {
  if (!attributes) return "";
  switch (attributes->messageType) {
    case NVTX_MESSAGE_TYPE_ASCII:
      return utf8(attributes->message.ascii);
    case NVTX_MESSAGE_TYPE_UNICODE:
      return utf8(attributes->message.unicode);
    case NVTX_MESSAGE_TYPE_REGISTERED:
      return early_ranges().name_of(attributes->message.registered);
    default:
      return "";
  }
}

// Hands the text on, in the program's thread, where nothing may be thrown.
template <class Text, class Use>
void with_text(Text text, Use&& use) noexcept {
  if (!watches()) return;
  try {
    use(text_of(text));
  } catch (...) {  // no memory
  }
}

template <class Text>
nvtxRangeId_t started(DomainHandle domain, Text text, nvtxRangeId_t id) {
  with_text(text, [&](std::string name) { early_ranges().start(domain, id, std::move(name)); });
  return id;
}

template <class Text>
void push_range(DomainHandle domain, Text text) {
  with_text(text, [&](std::string name) { early_ranges().push(domain, std::move(name)); });
}

template <class Handle, class Text>
Handle named(Handle handle, Text text) {
  with_text(text, [&](std::string name) { early_ranges().name(handle, std::move(name)); });
  return handle;
}

void end_range(nvtxRangeId_t id) {
  if (watches()) early_ranges().end(id);
}

void pop_range(const void* domain) {
  if (watches()) early_ranges().pop(domain);
}

// Puts ours in front of what CUPTI has put into a table. A place that CUPTI has left alone keeps
// what NVTX has there.
class Tables {
 public:
  explicit Tables(void* get_export_table) {
    if (!get_export_table) return;
    const auto get = reinterpret_cast<GetExportTable>(get_export_table);
    const auto* callbacks = static_cast<const ExportTableCallbacks*>(get(export_table_callbacks));
    if (!callbacks || callbacks->struct_size < sizeof(ExportTableCallbacks)) return;
    for (Table& table : tables_) {
      if (!callbacks->get_module_function_table(table.module, &table.functions, &table.size)) {
        table.functions = nullptr;
      }
    }
    for (Table& table : tables_) {
      for (unsigned id = 0; table.functions && id < table.size && id < most; ++id) {
        if (table.functions[id]) table.before[id] = *table.functions[id];
      }
    }
  }

  template <class S>
  void watch(typename S::Function ours) {
    for (Table& table : tables_) {
      if (table.module != S::module || !table.functions || S::id >= table.size) continue;
      AnyFunction* place = table.functions[S::id];
      if (!place || !*place || *place == table.before[S::id]) return;
      const auto theirs = reinterpret_cast<typename S::Function>(*place);
      typename S::Function known = nullptr;
      if (theirs == ours) return;
      if (!S::cuptis.compare_exchange_strong(known, theirs) && known != theirs) return;
      *place = reinterpret_cast<AnyFunction>(ours);
    }
  }

 private:
  static constexpr unsigned most = 16;
  struct Table {
    int module;
    FunctionTable functions = nullptr;
    unsigned size = 0;
    std::array<AnyFunction, most> before{};
  };
  std::array<Table, 2> tables_{{{core}, {core2}}};
};

void watch_all(Tables& tables) {
  tables.watch<RangeStartEx>(
      [](Attributes a) { return started(nullptr, a, RangeStartEx::call(a)); });
  tables.watch<RangeStartA>(
      [](const char* text) { return started(nullptr, text, RangeStartA::call(text)); });
  tables.watch<RangeStartW>(
      [](const wchar_t* text) { return started(nullptr, text, RangeStartW::call(text)); });
  tables.watch<RangeEnd>([](nvtxRangeId_t id) {
    end_range(id);
    RangeEnd::call(id);
  });
  tables.watch<RangePushEx>([](Attributes a) {
    push_range(nullptr, a);
    return RangePushEx::call(a);
  });
  tables.watch<RangePushA>([](const char* text) {
    push_range(nullptr, text);
    return RangePushA::call(text);
  });
  tables.watch<RangePushW>([](const wchar_t* text) {
    push_range(nullptr, text);
    return RangePushW::call(text);
  });
  tables.watch<RangePop>([] {
    pop_range(nullptr);
    return RangePop::call();
  });
  tables.watch<DomainRangeStartEx>([](DomainHandle domain, Attributes a) {
    return started(domain, a, DomainRangeStartEx::call(domain, a));
  });
  tables.watch<DomainRangeEnd>([](DomainHandle domain, nvtxRangeId_t id) {
    end_range(id);
    DomainRangeEnd::call(domain, id);
  });
  tables.watch<DomainRangePushEx>([](DomainHandle domain, Attributes a) {
    push_range(domain, a);
    return DomainRangePushEx::call(domain, a);
  });
  tables.watch<DomainRangePop>([](DomainHandle domain) {
    pop_range(domain);
    return DomainRangePop::call(domain);
  });
  tables.watch<DomainRegisterStringA>([](DomainHandle domain, const char* text) {
    return named(DomainRegisterStringA::call(domain, text), text);
  });
  tables.watch<DomainRegisterStringW>([](DomainHandle domain, const wchar_t* text) {
    return named(DomainRegisterStringW::call(domain, text), text);
  });
  tables.watch<DomainCreateA>(
      [](const char* name) { return named(DomainCreateA::call(name), name); });
  tables.watch<DomainCreateW>(
      [](const wchar_t* name) { return named(DomainCreateW::call(name), name); });
}

}  // namespace

EarlyRanges& early_ranges() {
  static EarlyRanges* const ranges = new EarlyRanges;  // outlives every exit handler
  return *ranges;
}

int initialize_watched(void* get_export_table, int (*initialize)(void*), bool watch) {
  if (!watch) return initialize(get_export_table);
  Tables tables(get_export_table);
  const int result = initialize(get_export_table);
  if (result) watch_all(tables);
  return result;
}

}  // namespace lapscope::nvtx
