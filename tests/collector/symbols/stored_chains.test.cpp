#include "collector/symbols/stored_chains.h"

#include "collector/trace/trace_writer.h"
#include "tests/catch.h"

namespace lapscope::symbols {
namespace {

TEST_CASE("what lies below the working directory is told from there") {
  CHECK(stored_path("/home/me/app/src/a.cu", "/home/me/app") == "src/a.cu");
  CHECK(stored_path("/home/me/app/src/../b.cu", "/home/me/app") == "b.cu");
  CHECK(stored_path("/home/me/other/a.cu", "/home/me/app") == "/home/me/other/a.cu");
  CHECK(stored_path("/home/me/application/a.cu", "/home/me/app") == "/home/me/application/a.cu");
  CHECK(stored_path("src/a.cu", "/home/me/app") == "src/a.cu");
  CHECK(stored_path("[vdso]", "/home/me/app") == "[vdso]");
  CHECK(stored_path("", "/home/me/app") == "");
  CHECK(stored_path("/home/me/a.cu", "/") == "/home/me/a.cu");
}

// Address 100 gets two rows, because a function is inlined there. So the depth of each Python frame
// grows by 1.
TEST_CASE("rows of Python frames are kept, with new depths") {
  trace::TraceWriter writer{schema::Database::in_memory()};
  const auto frame = [&writer](std::int64_t chain, std::int64_t depth, const std::string& symbol,
                               std::optional<std::int64_t> address) {
    schema::CallchainRow row;
    row.id = chain;
    row.stackDepth = depth;
    row.symbol = writer.intern(symbol);
    row.module = writer.intern(address ? "/lib/x.so" : "[python]");
    row.originalIP = address;
    if (address) row.moduleId = 1;
    writer.insert(row);
  };
  schema::ModuleRow module;
  module.id = 1;
  module.path = "/lib/x.so";
  writer.insert(module);
  frame(1, 0, "[unknown]", 100);
  frame(1, 1, "Trainer.step", std::nullopt);
  frame(1, 2, "<module>", std::nullopt);
  frame(2, 0, "[unknown]", 100);
  frame(2, 1, "[unknown]", 200);
  writer.commit();

  StoredChains chains(writer.database());
  std::vector<std::int64_t> addresses;
  chains.for_each_address(
      [&](const schema::ModuleRow&, std::int64_t address) { addresses.push_back(address); });
  CHECK(addresses == std::vector<std::int64_t>{100, 200});
  const StoredChains::Told of_100{{{"inner", "a.cpp", 1, true}, {"outer", "a.cpp", 2, false}}, ""};
  const StoredChains::Told of_200{{}, "x.so+0x10"};
  StoredTexts texts(writer.database());
  for (int times = 0; times < 2; ++times) {
    StoredChains(writer.database())
        .rewrite(
            [&](std::int64_t, std::int64_t address) -> const StoredChains::Told& {
              return address == 100 ? of_100 : of_200;
            },
            texts);
    std::vector<std::string> rows;
    schema::Statement stored(writer.database(),
                             "SELECT c.id || ' ' || stackDepth || ' ' || value ||"
                             " coalesce(' ' || originalIP, '') FROM CUDA_CALLCHAINS c"
                             " JOIN StringIds s ON s.id = symbol ORDER BY c.id, stackDepth");
    while (stored.step()) rows.emplace_back(stored.text(0));
    CHECK(rows == std::vector<std::string>{"1 0 inner", "1 1 outer 100", "1 2 Trainer.step",
                                           "1 3 <module>", "2 0 inner", "2 1 outer 100",
                                           "2 2 x.so+0x10 200"});
  }
}

}  // namespace
}  // namespace lapscope::symbols
