#include "collector/nvtx/watch_calls.h"

#include <array>
#include <atomic>
#include <optional>
#include <type_traits>
#include <utility>

#include "collector/nvtx/range_payloads.h"
#include "collector/nvtx_interface/interface.h"

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

template <class Function>
bool is_known() {
  return cuptis<Function>.load(std::memory_order_acquire) != nullptr;
}

nvtxEventAttributes_t attributes_of(const void* payloads, std::size_t count) {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = sizeof attributes;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = "";
  attributes.payloadType = RangePayloads::extended;
  attributes.reserved0 = static_cast<std::int32_t>(count);
  attributes.payload.ullValue = reinterpret_cast<std::uintptr_t>(payloads);
  return attributes;
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

// Replaces CUPTI's functions in a module's tables by functions of this file, which call CUPTI's
// functions. Replaces only entries that CUPTI has changed since the constructor ran.
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

void mark(DomainHandle domain, Attributes a) { told<DomainMarkEx>(domain, a, domain, a); }

int push(DomainHandle domain, Attributes a) {
  push_range(domain, a);
  return told<DomainRangePushEx>(domain, a, domain, a);
}

int pop(DomainHandle domain) {
  pop_range(domain);
  return cupti<DomainRangePop>(domain);
}

nvtxRangeId_t start(DomainHandle domain, Attributes a) {
  return started(domain, a, told<DomainRangeStartEx>(domain, a, domain, a));
}

void end(DomainHandle domain, nvtxRangeId_t id) {
  end_range(id);
  cupti<DomainRangeEnd>(domain, id);
}

// Watches the NVTX functions that have a domain argument. They are always watched, because the
// functions of the payload extension use them.
void watch_domains(Tables& tables) {
  tables.watch<DomainMarkEx>(mark);
  tables.watch<DomainRangePushEx>(push);
  tables.watch<DomainRangePop>(pop);
  tables.watch<DomainRangeStartEx>(start);
  tables.watch<DomainRangeEnd>(end);
}

// Watches the other functions that can have a payload.
void watch_payloads(Tables& tables) {
  tables.watch<RangeStartEx>([](Attributes a) { return told<RangeStartEx>(nullptr, a, a); });
  tables.watch<RangePushEx>([](Attributes a) { return told<RangePushEx>(nullptr, a, a); });
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
  // Makes these objects here, so that no later NVTX call of the program has to allocate them.
  early_ranges();
  range_payloads();
  Tables tables(get_export_table);
  const int result = initialize(get_export_table);
  if (!result) return result;
  tables.watch<MarkEx>([](Attributes a) { told<MarkEx>(nullptr, a, a); });
  watch_domains(tables);
  watch ? watch_all(tables) : watch_payloads(tables);
  return result;
}

void mark_payload(DomainHandle domain, const void* payloads, std::size_t count) {
  const nvtxEventAttributes_t attributes = attributes_of(payloads, count);
  if (is_known<DomainMarkEx>()) mark(domain, &attributes);
}

int push_payload(DomainHandle domain, const void* payloads, std::size_t count) {
  const nvtxEventAttributes_t attributes = attributes_of(payloads, count);
  return is_known<DomainRangePushEx>() ? push(domain, &attributes) : NVTX_NO_PUSH_POP_TRACKING;
}

int pop_payload(DomainHandle domain, const void*, std::size_t) {
  return is_known<DomainRangePop>() ? pop(domain) : NVTX_NO_PUSH_POP_TRACKING;
}

nvtxRangeId_t start_payload(DomainHandle domain, const void* payloads, std::size_t count) {
  const nvtxEventAttributes_t attributes = attributes_of(payloads, count);
  return is_known<DomainRangeStartEx>() ? start(domain, &attributes) : 0;
}

void end_payload(DomainHandle domain, nvtxRangeId_t id, const void*, std::size_t) {
  if (is_known<DomainRangeEnd>()) end(domain, id);
}

}  // namespace lapscope::nvtx
