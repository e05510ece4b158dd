#include "collector/stacks/module_table.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "tests/catch.h"
#include "tests/collector/stacks/shapes.h"

namespace lapscope::stacks {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const Module& module_of(ModuleTable& table, const void* place) {
  const auto address = reinterpret_cast<std::uintptr_t>(place);
  const auto object = loaded_object(address);
  REQUIRE(object.has_value());
  const std::uint32_t number = table.number_of(address, *object);
  REQUIRE(number != 0);
  return table.module(number);
}

// Checks that the file has the same bytes as `place`, at the offset that the module gives.
void check_place_in_file(const Module& module, const void* place, const std::string& path) {
  const auto address = reinterpret_cast<std::uintptr_t>(place);
  REQUIRE(address >= module.begin);
  REQUIRE(address < module.end);
  const std::string file = content_of(path);
  const std::size_t offset = address - module.begin + module.file_offset;
  REQUIRE(offset + 16 <= file.size());
  CHECK(file.substr(offset, 16) == std::string(static_cast<const char*>(place), 16));
}

TEST_CASE("a module knows its file, and where in it code is", "[stacks]") {
  const OwnMemory memory;
  const auto table = std::make_unique<ModuleTable>(memory);
  for (const char* path : {LAPSCOPE_SHAPES, LAPSCOPE_OTHER_SHAPES}) {
    INFO(path);
    const test::Shapes shapes(path);
    REQUIRE(shapes.is_loaded());
    const Module& module = module_of(*table, shapes.address());
    CHECK(table->path(module) == path);
    check_place_in_file(module, shapes.address(), path);
    REQUIRE(module.build_id_size == 20);
    const std::string id(module.build_id.begin(), module.build_id.begin() + module.build_id_size);
    CHECK(content_of(path).find(id) != std::string::npos);
  }
}

TEST_CASE("the program itself has an empty path", "[stacks]") {
  const OwnMemory memory;
  const auto table = std::make_unique<ModuleTable>(memory);
  const auto* here = reinterpret_cast<const void*>(&content_of);
  const Module& module = module_of(*table, here);
  CHECK(table->path(module).empty());
  check_place_in_file(module, here, std::filesystem::read_symlink("/proc/self/exe").string());
}

TEST_CASE("a module has one number as long as it is loaded", "[stacks]") {
  const OwnMemory memory;
  const auto table = std::make_unique<ModuleTable>(memory);
  const test::Shapes shapes(LAPSCOPE_SHAPES);
  CHECK(&module_of(*table, shapes.address()) == &module_of(*table, shapes.address()));
  CHECK(&module_of(*table, shapes.address()) !=
        &module_of(*table, reinterpret_cast<const void*>(&content_of)));
}

TEST_CASE("code that is in no file has no module", "[stacks]") {
  const OwnMemory memory;
  const auto table = std::make_unique<ModuleTable>(memory);
  CHECK_FALSE(loaded_object(64).has_value());
  CHECK(table->number_of(64, LoadedObject{}) == 0);
}

}  // namespace
}  // namespace lapscope::stacks
