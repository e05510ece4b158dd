#include "collector/nvtx/payload_json.h"

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExtPayload.h>

#include <array>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include "tests/catch.h"

namespace lapscope::nvtx {
namespace {

using Entry = PayloadSchema::Entry;

constexpr std::uint64_t u64 = NVTX_PAYLOAD_ENTRY_TYPE_UINT64;
constexpr std::uint64_t i32 = NVTX_PAYLOAD_ENTRY_TYPE_INT32;
constexpr std::uint64_t text = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING;
constexpr std::uint64_t own = std::uint64_t{1} << 24;  // ids of schemas
constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

// The schemas of all test cases, which are never freed. A new schema can replace an old one.
PayloadSchemas known_schemas;

void add(std::uint64_t id, PayloadSchema schema) {
  known_schemas.add(nullptr, id, std::move(schema));
}

PayloadSchema structure(std::vector<Entry> entries, std::size_t size = 0) {
  PayloadSchema schema;
  schema.entries = std::move(entries);
  schema.size = size;
  schema.is_struct = true;
  return schema;
}

PayloadSchema enumeration(std::size_t size) {
  PayloadSchema schema;
  schema.enum_size = size;
  return schema;
}

template <class Payload>
std::string json(const PayloadSchema& schema, const Payload& payload) {
  return payload_json(schema, std::as_bytes(std::span(&payload, 1)), known_schemas, nullptr);
}

struct Reduction {
  std::uint64_t communicator;
  std::size_t bytes;
  int operation;
};

TEST_CASE("a payload is an object by the names of its entries, enumerations by theirs", "[nvtx]") {
  PayloadSchema operation = enumeration(4);
  operation.values = {{0, "Sum"}, {2, "Max"}};
  add(own, operation);
  const PayloadSchema schema =
      structure({{0, u64, 0, 0, "NCCL communicator ID"},
                 {0, NVTX_PAYLOAD_ENTRY_TYPE_SIZE, 0, 8, "Message size [bytes]"},
                 {0, own, 0, 16, "Reduction operation"}});
  CHECK(json(schema, Reduction{most, 1'048'576, 2}) ==
        R"({"NCCL communicator ID":18446744073709551615,"Message size [bytes]":1048576,)"
        R"("Reduction operation":"Max"})");
  CHECK(json(structure({{0, own, 0, 0, "op"}}), 7) == R"({"op":7})");
}

TEST_CASE("where no offset is told, entries lie as the compiler puts them", "[nvtx]") {
  struct Mixed {
    std::int8_t first;
    std::int32_t second;
    double third;
  };
  const PayloadSchema schema = structure({{0, NVTX_PAYLOAD_ENTRY_TYPE_INT8, 0, 0, "a"},
                                          {0, i32, 0, 0, "b"},
                                          {0, NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, 0, 0, "c"}});
  CHECK(json(schema, Mixed{-1, -2, 0.5}) == R"({"a":-1,"b":-2,"c":0.5})");
  CHECK(json(structure({{0, NVTX_PAYLOAD_ENTRY_TYPE_FLOAT, 0, 0, "c"}}),
             std::numeric_limits<float>::infinity())
            .empty());
}

TEST_CASE("a struct in a struct is an object in the object", "[nvtx]") {
  struct Outer {
    std::int32_t head;
    std::uint64_t inner;
    std::int32_t tail;
  };
  add(own, structure({{0, u64, 0, 0, "n"}}, 8));
  const PayloadSchema schema =
      structure({{0, i32, 0, 0, "head"}, {0, own, 0, 0, "inner"}, {0, i32, 0, 0, "tail"}});
  CHECK(json(schema, Outer{1, 2, 3}) == R"({"head":1,"inner":{"n":2},"tail":3})");
}

TEST_CASE("texts inside the payload are read, and those that do not end in it are not", "[nvtx]") {
  struct Message {
    std::uint64_t offset;
    char fixed[4];
    char rest[8];
  };
  const Message message{16, {'a', '"', '\xff', 'b'}, "later"};
  const PayloadSchema fixed = structure({{0, text, 4, 8, "t"}});
  CHECK(json(fixed, message) ==
        "{\"t\":\"a\\\"\xef\xbf\xbd"
        "b\"}");
  const auto by_offset = structure({{NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE, text, 0, 0, "t"}});
  CHECK(json(by_offset, Message{12, {}, "later"}) == R"({"t":"later"})");
  CHECK(json(by_offset, Message{most, {}, "later"}).empty());
  struct Unended {
    std::uint64_t offset;
    char rest[8];
  };
  CHECK(json(by_offset, Unended{8, {'n', 'o', ' ', 'e', 'n', 'd', '.', '.'}}).empty());
}

TEST_CASE("what is not wholly in the payload is left out, whatever a schema says", "[nvtx]") {
  const std::uint64_t payload = 5;
  for (const std::uint64_t offset : {std::uint64_t{1}, std::uint64_t{8}, most, most - 7}) {
    INFO(offset);
    CHECK(json(structure({{0, u64, 0, 0, "in"}, {0, u64, 0, offset, "out"}}), payload) ==
          R"({"in":5})");
  }
  CHECK(json(structure({{0, text, most, 0, "t"}, {0, u64, 0, 0, "behind it"}}), payload) ==
        R"({"t":"\u0005"})");
  add(own, enumeration(most));
  add(own + 1, structure({{0, u64, 0, 0, "n"}}, most));
  CHECK(json(structure({{0, own, 0, 0, "e"}}), payload).empty());
  CHECK(json(structure({{0, own + 1, 0, 0, "s"}}), payload).empty());
}

TEST_CASE("arrays, unions, pointers and what has no schema are left out", "[nvtx]") {
  const std::array<std::uint64_t, 2> payload{5, 6};
  PayloadSchema no_struct;
  no_struct.size = 8;
  add(own, no_struct);
  for (const Entry& entry : {Entry{NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, u64, 1, 0, "a"},
                             Entry{NVTX_PAYLOAD_ENTRY_FLAG_POINTER, u64, 0, 0, "a"},
                             Entry{0, text, 0, 0, "a"}, Entry{0, own, 0, 0, "a"}}) {
    CHECK(json(structure({entry, {0, u64, 0, 8, "b"}}), payload) == R"({"b":6})");
  }
  CHECK(
      json(structure({{0, own + 2, 0, 0, "unknown"}, {0, u64, 0, 0, "nowhere"}}), payload).empty());
}

TEST_CASE("an object has 16 entries and a kilobyte at most, and a schema may name itself",
          "[nvtx]") {
  std::vector<Entry> entries;
  for (int i = 0; i < 20; ++i) entries.push_back({0, u64, 0, 0, std::to_string(i)});
  const std::array<std::uint64_t, 20> payload{};
  const std::string many = json(structure(entries), payload);
  CHECK(many.find("\"15\":") != std::string::npos);
  CHECK(many.find("\"16\":") == std::string::npos);
  for (Entry& entry : entries) entry.name += std::string(100, 'n');
  const std::string longer = json(structure(entries), payload);
  CHECK(longer.size() <= most_payload_json);
  CHECK(longer.size() > most_payload_json / 2);
  const PayloadSchema self = structure(std::vector<Entry>(256, {0, own, 0, 0, "self"}), 8);
  add(own, self);
  CHECK(json(self, payload).empty());
}

}  // namespace
}  // namespace lapscope::nvtx
