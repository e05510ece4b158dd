#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/catch.h"
#include "tests/fuzz/targets.h"

// Runs all targets on the initial inputs and on inputs that fuzzing has found.
namespace lapscope::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<std::uint8_t> content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("every input of the corpus is read, or refused by a sentence", "[fuzz]") {
  const fs::path corpus = fs::path(LAPSCOPE_SOURCE_DIR) / "tests/fuzz/corpus";
  for (const Target& target : targets) {
    std::size_t inputs = 0;
    for (const auto& entry : fs::directory_iterator(corpus / target.name)) {
      INFO(entry.path());
      CHECK_NOTHROW(target.run(content_of(entry.path())));
      ++inputs;
    }
    INFO(target.name);
    CHECK(inputs > 0);
  }
}

TEST_CASE("a trace cut off anywhere is refused or read", "[fuzz]") {
  auto bytes = content_of(fs::path(LAPSCOPE_TEST_TRACES) / "sm-filling-kernels-fixed.sqlite");
  for (std::size_t page = 0; page < bytes.size() / 4096; page += 3) {
    auto damaged = bytes;
    damaged[page * 4096 + 3] ^= 0x5A;
    CHECK_NOTHROW(trace_bytes(damaged));
  }
}

}  // namespace
}  // namespace lapscope::fuzz
