#include "collector/nvtx/watch_calls.h"

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExtPayload.h>

#include <array>
#include <cstdint>
#include <string>

#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::nvtx {
namespace {

// Imitates a module with NVTX. Its calls go through pointers, which a tool finds in a table and
// replaces.
using AnyFunction = void (*)();
std::array<AnyFunction, 16> core_functions;
std::array<AnyFunction, 16> core2_functions;
std::array<AnyFunction*, 17> core_table;
std::array<AnyFunction*, 17> core2_table;

struct ExportTableCallbacks {
  std::size_t struct_size;
  int (*get_module_function_table)(int module, AnyFunction*** table, unsigned* size);
};

void untouched() {}

int module_table(int module, AnyFunction*** table, unsigned* size) {
  if (module != 1 && module != 5) return 0;
  *table = module == 1 ? core_table.data() : core2_table.data();
  *size = 16;
  return 1;
}

const void* get_export_table(std::uint32_t id) {
  static const ExportTableCallbacks callbacks{sizeof(ExportTableCallbacks), module_table};
  return id == 1 ? &callbacks : nullptr;
}

void new_module() {
  for (std::size_t i = 0; i < 16; ++i) {
    core_functions[i] = core2_functions[i] = untouched;
    core_table[i] = &core_functions[i];
    core2_table[i] = &core2_functions[i];
  }
  core_table[0] = core2_table[0] = nullptr;
}

template <class Result, class... Arguments>
Result call(AnyFunction function, Arguments... arguments) {
  return reinterpret_cast<Result (*)(Arguments...)>(function)(arguments...);
}

// Functions that CUPTI would install.
int cupti_pushed = 0;
nvtxEventAttributes_t pushed;  // the last attributes of RangePushEx
nvtxDomainRegistration* const loader_domain = reinterpret_cast<nvtxDomainRegistration*>(64);
nvtxStringRegistration* const batch_string = reinterpret_cast<nvtxStringRegistration*>(128);

template <class Function>
AnyFunction any(Function function) {
  return reinterpret_cast<AnyFunction>(function);
}

int initialize_cupti(void* get_table) {
  REQUIRE(get_table == reinterpret_cast<void*>(get_export_table));
  core_functions[9] = any(+[](const char*) { return cupti_pushed++; });    // RangePushA
  core_functions[11] = any(+[] { return --cupti_pushed; });                // RangePop
  core_functions[5] = any(+[](const char*) { return nvtxRangeId_t{7}; });  // RangeStartA
  core_functions[7] = any(+[](nvtxRangeId_t) {});                          // RangeEnd
  core2_functions[12] = any(+[](const char*) { return loader_domain; });   // DomainCreateA
  core2_functions[10] =
      any(+[](nvtxDomainHandle_t, const char*) { return batch_string; });  // RegisterStringA
  core2_functions[4] = any(+[](nvtxDomainHandle_t, const nvtxEventAttributes_t* attributes) {
    pushed = *attributes;
    return 3;
  });                                                               // RangePushEx
  core2_functions[5] = any(+[](nvtxDomainHandle_t) { return 4; });  // RangePop
  return 1;
}

// Runs `body` in a child process, because a process cannot end its watch of NVTX calls.
int in_a_child(const std::function<void()>& body) {
  test::Child child([&body] {
    new_module();
    try {
      body();
    } catch (const std::exception&) {
      return 1;
    }
    return 0;
  });
  return child.wait().exit_status;
}

void expect(bool condition) {
  if (!condition) throw std::runtime_error("not as expected");
}

void* table_function() { return reinterpret_cast<void*>(get_export_table); }

TEST_CASE("calls reach CUPTI and are seen on the way", "[nvtx]") {
  CHECK(in_a_child([] {
          expect(initialize_watched(table_function(), initialize_cupti, true) == 1);
          expect(call<int>(core_functions[9], static_cast<const char*>("first")) == 0);
          expect(call<int>(core_functions[9], static_cast<const char*>("second")) == 1);
          expect(call<int>(core_functions[11]) == 1);
          expect(call<nvtxRangeId_t>(core_functions[5], static_cast<const char*>("third")) == 7);
          const auto open = early_ranges().take_open();
          expect(open.size() == 2);
          expect(open[0].text == "first" && open[1].text == "third");
          call<void>(core_functions[7], nvtxRangeId_t{7});
          callbacks::EventQueue queue;
          early_ranges().send_ends_to(queue);
          expect(queue.take().size() == 1);
        }) == 0);
}

TEST_CASE("domains and registered texts are known by their names", "[nvtx]") {
  CHECK(in_a_child([] {
          initialize_watched(table_function(), initialize_cupti, true);
          const auto domain =
              call<nvtxDomainHandle_t>(core2_functions[12], static_cast<const char*>("loader"));
          expect(domain == loader_domain);
          nvtxEventAttributes_t attributes = {};
          attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
          attributes.message.registered = call<nvtxStringHandle_t>(
              core2_functions[10], domain, static_cast<const char*>("batch"));
          const nvtxEventAttributes_t* given = &attributes;
          expect(call<int>(core2_functions[4], domain, given) == 3);
          const auto open = early_ranges().take_open();
          expect(open.size() == 1);
          expect(open[0].domain == "loader" && open[0].text == "batch");
          expect(call<int>(core2_functions[5], domain) == 4);
          expect(!early_ranges().is_watching());
        }) == 0);
}

//   push        |---------- init ----------|
//   with payload      |----------|
//                                ^         ^ pop_payload
TEST_CASE("pop_payload() closes ranges with and without a payload", "[nvtx]") {
  CHECK(
      in_a_child([] {
        std::array<std::intptr_t, 63> slots{};
        nvtxExtModuleSegment_t segment{0, slots.size(), slots.data()};
        nvtxExtModuleInfo_t info{
            3,       sizeof info, NVTX_EXT_PAYLOAD_MODULEID, NVTX_EXT_PAYLOAD_COMPATID, 1, &segment,
            nullptr, nullptr};
        initialize_extension(&info);
        const auto push = reinterpret_cast<decltype(&nvtxRangePushPayload)>(
            slots[NVTX3EXT_CBID_nvtxRangePushPayload]);
        const auto pop = reinterpret_cast<decltype(&nvtxRangePopPayload)>(
            slots[NVTX3EXT_CBID_nvtxRangePopPayload]);
        const auto mark =
            reinterpret_cast<decltype(&nvtxMarkPayload)>(slots[NVTX3EXT_CBID_nvtxMarkPayload]);
        const auto start = reinterpret_cast<decltype(&nvtxRangeStartPayload)>(
            slots[NVTX3EXT_CBID_nvtxRangeStartPayload]);
        const auto end = reinterpret_cast<decltype(&nvtxRangeEndPayload)>(
            slots[NVTX3EXT_CBID_nvtxRangeEndPayload]);
        expect(pop(loader_domain, nullptr, 0) == NVTX_NO_PUSH_POP_TRACKING);

        initialize_watched(table_function(), initialize_cupti, true);
        nvtxEventAttributes_t attributes = {};
        attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
        attributes.message.ascii = "init";
        const nvtxEventAttributes_t* given = &attributes;
        expect(call<int>(core2_functions[4], loader_domain, given) == 3);
        const nvtxPayloadData_t payloads[2] = {};
        expect(push(loader_domain, payloads, 2) == 3);
        expect(pushed.payloadType == NVTX_PAYLOAD_TYPE_EXT && pushed.reserved0 == 2);
        expect(pushed.payload.ullValue == reinterpret_cast<std::uintptr_t>(payloads));
        expect(pop(loader_domain, payloads, 1) == 4);
        const auto open = early_ranges().take_open();
        expect(open.size() == 1 && open[0].text == "init");
        callbacks::EventQueue queue;
        early_ranges().send_ends_to(queue);
        expect(pop(loader_domain, nullptr, 0) == 4);
        expect(queue.take().size() == 1);
        // If CUPTI has no function for a call, the call does nothing.
        mark(loader_domain, nullptr, 0);
        expect(start(loader_domain, nullptr, 0) == 0);
        end(loader_domain, 7, nullptr, 0);
      }) == 0);
}

TEST_CASE("what CUPTI leaves alone stays as NVTX has it", "[nvtx]") {
  CHECK(in_a_child([] {
          initialize_watched(table_function(), initialize_cupti, true);
          expect(core_functions[8] == untouched);  // RangePushEx
          expect(core_functions[1] == untouched);  // MarkEx
          expect(core_functions[9] != untouched);
        }) == 0);
}

TEST_CASE("a second module is watched, too", "[nvtx]") {
  CHECK(in_a_child([] {
          initialize_watched(table_function(), initialize_cupti, true);
          call<int>(core_functions[9], static_cast<const char*>("of the first"));
          new_module();
          initialize_watched(table_function(), initialize_cupti, true);
          expect(call<int>(core_functions[9], static_cast<const char*>("of the second")) == 1);
          expect(early_ranges().take_open().size() == 2);
        }) == 0);
}

TEST_CASE("without a wish to watch, or a table, CUPTI is initialized all the same", "[nvtx]") {
  CHECK(in_a_child([] {
          expect(initialize_watched(table_function(), initialize_cupti, false) == 1);
          call<int>(core_functions[9], static_cast<const char*>("not seen"));
          expect(early_ranges().take_open().empty());
          expect(initialize_watched(
                     nullptr, [](void*) { return 5; }, true) == 5);
          expect(initialize_watched(
                     nullptr, [](void*) { return 0; }, true) == 0);
        }) == 0);
}

}  // namespace
}  // namespace lapscope::nvtx
