#include "collector/nvtx/watch_calls.h"

#include <array>
#include <atomic>
#include <optional>
#include <type_traits>
#include <utility>

#include "collector/nvtx/range_payloads.h"
#include "collector/nvtx_interface/module_tables.h"
#include "collector/nvtx_interface/nvtx_text.h"

namespace lapscope::nvtx {

namespace {

// CUPTI's implementation of an NVTX function. CUPTI puts the same pointer into the tables of every
// module (program or library) that uses NVTX.
template <class Function>
std::atomic<typename Function::Pointer> cuptis{nullptr};

template <class Function, class... Arguments>
auto cupti(Arguments... arguments) {
  return cuptis<Function>.load(std::memory_order_acquire)(arguments...);
}

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

// If ranges are watched, converts the text to UTF-8 and calls `use` with the result. Throws
// nothing, because it runs in a thread of the program.
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

// Calls CUPTI's function for a range or mark, and queues the payload of the range or mark.
template <class Function, class... Arguments>
auto told(DomainHandle domain, Attributes attributes, Arguments... arguments) {
  if (!range_payloads().has(attributes)) [[likely]]
    return cupti<Function>(arguments...);
  std::optional<RawPayload> payload = range_payloads().read(domain, attributes);
  if constexpr (std::is_void_v<decltype(cupti<Function>(arguments...))>) {
    cupti<Function>(arguments...);
    if (payload) range_payloads().push(*payload);
  } else {
    const auto result = cupti<Function>(arguments...);
    if (payload) range_payloads().push(*payload);
    return result;
  }
}

void end_range(nvtxRangeId_t id) {
  if (watches()) early_ranges().end(id);
}

void pop_range(const void* domain) {
  if (watches()) early_ranges().pop(domain);
}

// Replaces functions of CUPTI in a module's tables by functions of this file. Each replacement
// calls the function of CUPTI that it replaces. Entries that CUPTI has not changed are not
// replaced.
class Tables {
 public:
  explicit Tables(void* get_export_table) : tables_(get_export_table) {
    for (unsigned id = 0; id < ModuleTables::most; ++id) {
      for (const int module : {core, core2}) {
        if (const AnyFunction* place = tables_.place(module, id)) before(module, id) = *place;
      }
    }
  }

  template <class Function>
  void watch(typename Function::Pointer ours) {
    AnyFunction* place = tables_.place(Function::module, Function::id);
    if (!place || !*place || *place == before(Function::module, Function::id)) return;
    const auto theirs = reinterpret_cast<typename Function::Pointer>(*place);
    typename Function::Pointer known = nullptr;
    if (theirs == ours) return;
    if (!cuptis<Function>.compare_exchange_strong(known, theirs) && known != theirs) return;
    *place = reinterpret_cast<AnyFunction>(ours);
  }

 private:
  AnyFunction& before(int module, unsigned id) { return before_[module == core ? 0 : 1][id]; }

  ModuleTables tables_;
  std::array<std::array<AnyFunction, ModuleTables::most>, 2> before_{};
};

void watch_marks(Tables& tables) {
  tables.watch<MarkEx>([](Attributes a) { told<MarkEx>(nullptr, a, a); });
  tables.watch<DomainMarkEx>(
      [](DomainHandle domain, Attributes a) { told<DomainMarkEx>(domain, a, domain, a); });
}

// Watches only the range functions that can have a payload.
void watch_payloads(Tables& tables) {
  tables.watch<RangeStartEx>([](Attributes a) { return told<RangeStartEx>(nullptr, a, a); });
  tables.watch<RangePushEx>([](Attributes a) { return told<RangePushEx>(nullptr, a, a); });
  tables.watch<DomainRangeStartEx>([](DomainHandle domain, Attributes a) {
    return told<DomainRangeStartEx>(domain, a, domain, a);
  });
  tables.watch<DomainRangePushEx>([](DomainHandle domain, Attributes a) {
    return told<DomainRangePushEx>(domain, a, domain, a);
  });
}

void watch_all(Tables& tables) {
  tables.watch<RangeStartEx>(
      [](Attributes a) { return started(nullptr, a, told<RangeStartEx>(nullptr, a, a)); });
  tables.watch<RangeStartA>(
      [](const char* text) { return started(nullptr, text, cupti<RangeStartA>(text)); });
  tables.watch<RangeStartW>(
      [](const wchar_t* text) { return started(nullptr, text, cupti<RangeStartW>(text)); });
  tables.watch<RangeEnd>([](nvtxRangeId_t id) {
    end_range(id);
    cupti<RangeEnd>(id);
  });
  tables.watch<RangePushEx>([](Attributes a) {
    push_range(nullptr, a);
    return told<RangePushEx>(nullptr, a, a);
  });
  tables.watch<RangePushA>([](const char* text) {
    push_range(nullptr, text);
    return cupti<RangePushA>(text);
  });
  tables.watch<RangePushW>([](const wchar_t* text) {
    push_range(nullptr, text);
    return cupti<RangePushW>(text);
  });
  tables.watch<RangePop>([] {
    pop_range(nullptr);
    return cupti<RangePop>();
  });
  tables.watch<DomainRangeStartEx>([](DomainHandle domain, Attributes a) {
    return started(domain, a, told<DomainRangeStartEx>(domain, a, domain, a));
  });
  tables.watch<DomainRangeEnd>([](DomainHandle domain, nvtxRangeId_t id) {
    end_range(id);
    cupti<DomainRangeEnd>(domain, id);
  });
  tables.watch<DomainRangePushEx>([](DomainHandle domain, Attributes a) {
    push_range(domain, a);
    return told<DomainRangePushEx>(domain, a, domain, a);
  });
  tables.watch<DomainRangePop>([](DomainHandle domain) {
    pop_range(domain);
    return cupti<DomainRangePop>(domain);
  });
  tables.watch<DomainRegisterStringA>([](DomainHandle domain, const char* text) {
    return named(cupti<DomainRegisterStringA>(domain, text), text);
  });
  tables.watch<DomainRegisterStringW>([](DomainHandle domain, const wchar_t* text) {
    return named(cupti<DomainRegisterStringW>(domain, text), text);
  });
  tables.watch<DomainCreateA>(
      [](const char* name) { return named(cupti<DomainCreateA>(name), name); });
  tables.watch<DomainCreateW>(
      [](const wchar_t* name) { return named(cupti<DomainCreateW>(name), name); });
}

}  // namespace

EarlyRanges& early_ranges() {
  static EarlyRanges* const ranges = new EarlyRanges;  // outlives every exit handler
  return *ranges;
}

int initialize_watched(void* get_export_table, int (*initialize)(void*), bool watch) {
  Tables tables(get_export_table);
  const int result = initialize(get_export_table);
  if (!result) return result;
  watch_marks(tables);
  watch ? watch_all(tables) : watch_payloads(tables);
  return result;
}

}  // namespace lapscope::nvtx
