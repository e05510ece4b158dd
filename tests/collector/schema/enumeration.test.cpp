#include "collector/schema/enumeration.h"

#include <set>
#include <string>

#include "tests/catch.h"

namespace lapscope::schema {
namespace {

std::string_view name_of(std::string_view table, std::int64_t id) {
  for (const Enumerator& value : enumeration(table).values) {
    if (value.id == id) return value.name;
  }
  return "";
}

TEST_CASE("codes and names are unique within their table", "[schema]") {
  for (const Enumeration& each : enumerations()) {
    INFO(each.table);
    std::set<std::int64_t> ids;
    std::set<std::string> names;
    for (const Enumerator& value : each.values) {
      INFO(value.name);
      CHECK(ids.insert(value.id).second);
      CHECK(names.emplace(value.name).second);
      CHECK_FALSE(value.label.empty());
    }
  }
}

TEST_CASE("table names are unique and begin with ENUM", "[schema]") {
  std::set<std::string> tables;
  for (const Enumeration& each : enumerations()) {
    INFO(each.table);
    CHECK(each.table.starts_with("ENUM_"));
    CHECK(tables.emplace(each.table).second);
  }
}

TEST_CASE("a table that does not exist has no values", "[schema]") {
  CHECK(enumeration("ENUM_OF_NOTHING").values.empty());
}

// These codes are in exports of Nsight Systems, and scripts of users depend on them.
TEST_CASE("codes are those of Nsight Systems exports", "[schema]") {
  CHECK(name_of("ENUM_CUDA_MEM_KIND", 0) == "CUDA_MEMOPR_MEMORY_KIND_PAGEABLE");
  CHECK(name_of("ENUM_CUDA_MEM_KIND", 2) == "CUDA_MEMOPR_MEMORY_KIND_DEVICE");
  CHECK(name_of("ENUM_CUDA_KERNEL_LAUNCH_TYPE", 1) == "CUDA_KERNEL_LAUNCH_TYPE_REGULAR");
  CHECK(name_of("ENUM_CUDA_MEMCPY_OPER", 8) == "CUDA_MEMCPY_KIND_DTOD");
  CHECK(name_of("ENUM_NSYS_EVENT_TYPE", 59) == "NvtxPushPopRange");
  CHECK(name_of("ENUM_CUDA_DEV_MEM_EVENT_OPER", 0) == "CUDA_DEV_MEM_EVENT_OPER_ALLOCATION");
}

}  // namespace
}  // namespace lapscope::schema
