#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lapscope::nvtx {

// How the bytes of a payload are to be read, as a program has registered it with NVTX's payload
// extension: the entries of a struct, or the names of an enumeration.
struct PayloadSchema {
  struct Entry {
    std::uint64_t flags = 0;   // NVTX_PAYLOAD_ENTRY_FLAG_*
    std::uint64_t type = 0;    // NVTX_PAYLOAD_ENTRY_TYPE_*, or the id of a schema
    std::uint64_t detail = 0;  // length of a text or array
    std::uint64_t offset = 0;  // bytes; 0 behind the first entry: where the compiler puts it
    std::string name;
  };

  std::vector<Entry> entries;  // of a struct
  std::size_t size = 0;        // bytes; 0: not known
  std::size_t pack = 0;        // most bytes that an entry is aligned to; 0: any
  bool is_struct = false;      // the rest (unions, dynamic ones) are known not to be readable

  std::vector<std::pair<std::uint64_t, std::string>> values;  // of an enumeration
  std::size_t enum_size = 0;                                  // bytes; 0: this is none
};

// Where the schemas of a domain are found; null where none has that id.
class SchemaLookup {
 public:
  virtual const PayloadSchema* find(const void* domain, std::uint64_t id) const noexcept = 0;

 protected:
  ~SchemaLookup() = default;
};

}  // namespace lapscope::nvtx
