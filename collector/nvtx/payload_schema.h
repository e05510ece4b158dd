#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lapscope::nvtx {

// A schema that the program has registered with NVTX's payload extension. Describes the bytes of a
// payload: the entries of a struct, or the names of an enumeration's values.
struct PayloadSchema {
  struct Entry {
    std::uint64_t flags = 0;   // NVTX_PAYLOAD_ENTRY_FLAG_*
    std::uint64_t type = 0;    // NVTX_PAYLOAD_ENTRY_TYPE_*, or the id of a schema
    std::uint64_t detail = 0;  // length of a text or array
    std::uint64_t offset = 0;  // bytes; 0 in a later entry: after the previous one, aligned
    std::string name;
  };

  std::vector<Entry> entries;  // of a struct
  std::size_t size = 0;        // bytes; 0: not known
  std::size_t pack = 0;        // greatest alignment of an entry, bytes; 0: no limit
  bool is_struct = false;      // static layout; unions and dynamic structs are not read

  std::vector<std::pair<std::uint64_t, std::string>> values;  // of an enumeration
  std::size_t enum_size = 0;                                  // bytes; 0: not an enumeration
};

// Finds schemas by domain and id. find() returns null if there is no such schema.
class SchemaLookup {
 public:
  virtual const PayloadSchema* find(const void* domain, std::uint64_t id) const noexcept = 0;

 protected:
  ~SchemaLookup() = default;
};

}  // namespace lapscope::nvtx
