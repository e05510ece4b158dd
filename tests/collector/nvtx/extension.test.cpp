#include "collector/nvtx/watch_calls.h"

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExtPayload.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <thread>

#include "collector/nvtx/payload_json.h"
#include "collector/nvtx/range_payloads.h"
#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::nvtx {
namespace {

struct Module {
  std::array<std::intptr_t, 63> slots{};
  nvtxExtModuleSegment_t segment{0, slots.size(), slots.data()};
  nvtxExtModuleInfo_t info{3,
                           sizeof(nvtxExtModuleInfo_t),
                           NVTX_EXT_PAYLOAD_MODULEID,
                           NVTX_EXT_PAYLOAD_COMPATID,
                           1,
                           &segment,
                           nullptr,
                           nullptr};

  std::ptrdiff_t slots_set() const {
    return std::count_if(slots.begin(), slots.end(), [](std::intptr_t slot) { return slot != 0; });
  }
  std::uint64_t add(nvtxDomainHandle_t domain, const nvtxPayloadSchemaAttr_t& schema) const {
    using Register = std::uint64_t (*)(nvtxDomainHandle_t, const nvtxPayloadSchemaAttr_t*);
    return reinterpret_cast<Register>(slots[NVTX3EXT_CBID_nvtxPayloadSchemaRegister])(domain,
                                                                                      &schema);
  }
};

struct Gather {
  std::uint64_t communicator;
  std::size_t bytes;
};

constexpr std::uint64_t static_id = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START + 4;
const nvtxDomainHandle_t nccl = reinterpret_cast<nvtxDomainHandle_t>(64);
const nvtxPayloadSchemaEntry_t entries[] = {
    {0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, "NCCL communicator ID", nullptr, 0, 0, nullptr, nullptr},
    {0, NVTX_PAYLOAD_ENTRY_TYPE_SIZE, "Message size [bytes]", nullptr, 0, 8, nullptr, nullptr}};

nvtxPayloadSchemaAttr_t schema(bool has_id) {
  nvtxPayloadSchemaAttr_t attributes{};
  attributes.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                         NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                         NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                         (has_id ? NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID : 0);
  attributes.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
  attributes.entries = entries;
  attributes.numEntries = std::size(entries);
  attributes.schemaId = static_id;
  return attributes;
}

// Does what a push does, without CUPTI.
bool push(std::uint64_t id, const void* payload, std::size_t size = sizeof(Gather)) {
  const nvtxPayloadData_t data{id, size, payload};
  nvtxEventAttributes_t attributes{};
  attributes.payloadType = NVTX_PAYLOAD_TYPE_EXT;
  attributes.reserved0 = 1;
  attributes.payload.ullValue = reinterpret_cast<std::uintptr_t>(&data);
  if (!range_payloads().has(&attributes)) return false;
  auto read = range_payloads().read(nccl, &attributes);
  if (read) range_payloads().push(*read);
  return read.has_value();
}

std::string json(const RawPayload& payload) {
  return payload_json(*payload.schema, payload.content(), range_payloads().schemas(),
                      payload.domain);
}

TEST_CASE("of other extensions and versions nothing is touched", "[nvtx]") {
  Module other;
  other.info.moduleId = 3;
  CHECK(initialize_extension(&other.info) == 1);
  Module newer;
  newer.info.compatId = 0x0201;
  CHECK(initialize_extension(&newer.info) == 1);
  CHECK(initialize_extension(nullptr) == 1);
  CHECK(other.slots_set() + newer.slots_set() == 0);
  Module known;
  CHECK(initialize_extension(&known.info) == 1);
  CHECK(known.slots_set() == 7);
}

TEST_CASE("payloads of schemas with the program's id, and with a new one, are kept", "[nvtx]") {
  Module module;
  initialize_extension(&module.info);
  CHECK(module.add(nccl, schema(true)) == static_id);
  const std::uint64_t made = module.add(nccl, schema(false));
  CHECK(made > NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START);
  Gather gather{7, 1024};
  CHECK_FALSE(push(static_id, &gather));  // nothing is recorded yet
  range_payloads().keep(true);
  CHECK(push(static_id, &gather));
  gather.bytes = 2048;
  CHECK(push(made, &gather));
  CHECK_FALSE(push(static_id + 1, &gather));
  const auto taken = range_payloads().take();
  REQUIRE(taken.size() == 2);
  CHECK(json(taken[0]) == R"({"NCCL communicator ID":7,"Message size [bytes]":1024})");
  CHECK(json(taken[1]) == R"({"NCCL communicator ID":7,"Message size [bytes]":2048})");
  CHECK(taken[0].begin <= taken[0].end);
  CHECK(taken[0].end <= taken[1].begin);
  CHECK(range_payloads().take_lost() == 0);

  SECTION("a payload that is not there is counted, and no fault") {
    CHECK_FALSE(push(static_id, reinterpret_cast<const void*>(8)));
    CHECK(range_payloads().take_lost() == 1);
    CHECK(range_payloads().take().empty());
  }
  SECTION("one that is longer than there is room is cut") {
    const std::array<Gather, 100> many{{{9, 10}}};
    CHECK(push(static_id, many.data(), sizeof many));
    const auto cut = range_payloads().take();
    REQUIRE(cut.size() == 1);
    CHECK(cut[0].size == RawPayload::most);
    CHECK(json(cut[0]) == R"({"NCCL communicator ID":9,"Message size [bytes]":10})");
  }
  SECTION("what finds no room is counted, and there is room again when some were taken") {
    for (std::size_t i = 0; i < RangePayloads::room + 3; ++i) push(static_id, &gather);
    CHECK(range_payloads().take_lost() == 3);
    CHECK(range_payloads().take().size() == RangePayloads::room);
    CHECK(push(static_id, &gather));
    CHECK(range_payloads().take().size() == 1);
  }
  SECTION("of threads that push at once, each payload is whole and names its thread") {
    const auto pushes = [](std::uint64_t number) {
      for (std::size_t i = 0; i < 2000; ++i) {
        const Gather own{number, i};
        push(static_id, &own);
      }
    };
    std::thread other(pushes, 1);
    pushes(2);
    other.join();
    std::array<std::size_t, 3> next{};
    std::array<std::uint32_t, 3> threads{};
    const auto all = range_payloads().take();
    CHECK(all.size() == 4000);
    for (const RawPayload& payload : all) {
      Gather own{};
      std::memcpy(&own, payload.bytes.data(), sizeof own);
      REQUIRE(own.communicator < next.size());
      REQUIRE(own.bytes == next[own.communicator]++);
      threads[own.communicator] = payload.thread;
    }
    CHECK(threads[1] != threads[2]);
  }
  SECTION("a child made by fork keeps nothing and registers nothing") {
    test::Child child([&] {
      const bool kept = push(static_id, &gather);
      return kept || module.add(nccl, schema(false)) != 0 ? 1 : 0;
    });
    CHECK(child.wait().exit_status == 0);
  }
  range_payloads().keep(false);
}

}  // namespace
}  // namespace lapscope::nvtx
