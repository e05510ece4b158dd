#include "tests/collector/symbols/support/program_run.h"

#include <sstream>

#include "collector/symbols/elf_file.h"
#include "collector/trace/trace_writer.h"
#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::test {

ProgramRun run_program(const std::vector<std::string>& command) {
  const Finished finished = test::run(command);
  REQUIRE(finished.exit_status == 0);
  ProgramRun run;
  std::istringstream text(finished.out);
  std::string word;
  while (text >> word) {
    if (word == "line") {
      text >> run.lines.emplace_back();
    } else {
      ProgramRun::Frame& frame = run.frames.emplace_back();
      text >> frame.address >> frame.start >> frame.end >> frame.offset >> frame.path;
    }
  }
  REQUIRE(run.lines.size() == 3);
  REQUIRE(run.frames.size() > 3);
  return run;
}

void write_chain(const ProgramRun& run, const std::filesystem::path& path) {
  trace::TraceWriter writer(path);
  std::int64_t id = 0;
  for (const ProgramRun::Frame& frame : run.frames) {
    schema::ModuleRow module;
    module.id = ++id;
    module.path = frame.path;
    const auto file = symbols::ElfFile::open(frame.path);
    if (file && !file->build_id().empty()) module.buildId = file->build_id();
    module.start = frame.start;
    module.end = frame.end;
    module.fileOffset = frame.offset;
    writer.insert(module);
    schema::CallchainRow row;
    row.id = 1;
    row.stackDepth = id - 1;
    row.symbol = writer.intern("[unknown]");
    row.module = writer.intern(frame.path);
    row.unresolved = 1;
    row.originalIP = frame.address;
    row.moduleId = module.id;
    writer.insert(row);
  }
  writer.finish();
}

}  // namespace lapscope::test
