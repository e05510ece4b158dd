#include <fmt/format.h>

#include <fstream>
#include <regex>

#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/collector/support/temporary_folder.h"

// A trace with calls of other APIs than CUDA has figures, but no causes and savings, in all
// commands and formats.
namespace lapscope::test {
namespace {

// Writes a trace with kernels of 100 us. During each kernel, the host begins a call of 1 ms. This
// call delays the next launch, so it looks like the cause of idle time.
std::string idle_trace(const TemporaryFolder& folder, std::string_view launch,
                       std::string_view wait, std::string_view category) {
  const std::string path = folder / "t.json";
  std::ofstream out(path);
  out << R"({"schemaVersion": 1, "traceEvents": [)";
  int at = 0;
  for (int i = 0; i < 20; ++i) {
    for (const auto& [name, start, us, id] :
         {std::tuple(launch, at, 5, 2 * i + 1), std::tuple(wait, at + 8, 1000, 2 * i + 2)}) {
      out << (i == 0 && us == 5 ? "" : ",")
          << fmt::format(R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": 9, "tid": 9, "ts": {},)"
                         R"( "dur": {}, "args": {{"correlation": {}}}}})",
                         category, name, start, us, id);
    }
    out << fmt::format(
        R"(,{{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": {},)"
        R"( "dur": 100, "args": {{"device": 0, "stream": 7, "correlation": {}}}}})",
        at + 10, 2 * i + 1);
    at += 1020;
  }
  out << "]}";
  return path;
}

std::vector<std::vector<std::string>> commands_on(const std::string& trace) {
  std::vector<std::vector<std::string>> commands = {
      {"analyze", trace},
      {"analyze", trace, "-v"},
      {"analyze", trace, "--whole"},
      {"analyze", trace, "--by", "line"},
      {"analyze", trace, "--by", "function"},
      {"analyze", trace, "--format", "json", "--brief"},
      {"stats", trace},
      {"whatif", trace},
      {"whatif", trace, "--fix", "alloc-free"},
      {"whatif", trace, "--fix", "host-compute", "--format", "json"},
      {"summarize", trace, "-o", "-"}};
  for (const char* format :
       {"text", "json", "html", "markdown", "perfetto", "folded", "folded-waits"}) {
    commands.push_back({"report", trace, "--format", format, "-o", "-"});
  }
  for (const char* format : {"text", "json", "html", "markdown"}) {
    commands.push_back({"diff", trace, trace, "--format", format, "-o", "-"});
  }
  for (const char* format : {"text", "markdown", "junit", "github", "json", "gitlab"}) {
    commands.push_back({"gate", trace, "--format", format, "--max-idle", "1%", "--forbid",
                        "alloc-free", "--forbid", "host-compute"});
  }
  return commands;
}

// Returns the part of an output that promises a saving, or "".
std::string saving_in(const std::string& output) {
  static const std::regex saving(
      R"re([Ss]aves (?:up to |at most )?[0-9][^\n]{0,20}|could be saved|"saving_ns": ?[1-9][0-9]*)re"
      R"re(|[Pp]redicted [0-9][^\n]{0,20}|"saving_share": ?0\.[0-9]+)re");
  std::smatch found;
  return std::regex_search(output, found, saving) ? found.str() : "";
}

bool says_that_no_cause_is_known(const std::string& output) {
  return output.find("are of HIP or another API") != std::string::npos;
}

std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += word + " ";
  return line;
}

TEST_CASE("no saving stands beside calls whose causes are not looked for", "[foreign-calls]") {
  for (const auto& [launch, wait, category] :
       {std::tuple("hipLaunchKernel", "hipFree", "cuda_runtime"),
        {"hipModuleLaunchKernel", "hipDeviceSynchronize", "cuda_driver"},
        {"urEnqueueKernelLaunch", "urEventWait", "xpu_runtime"}}) {
    const TemporaryFolder folder;
    const std::string trace = idle_trace(folder, launch, wait, category);
    std::size_t told = 0;
    for (const std::vector<std::string>& words : commands_on(trace)) {
      const CommandResult result = run_in_process(words);
      INFO(joined(words) << result.err);
      CHECK(result.out.size() + result.err.size() > 0);
      // `summarize` draws no conclusions, so it is not inconclusive (3) here.
      if (words[0] != "summarize") CHECK(result.status == 3);
      CHECK(saving_in(result.out).empty());
      CHECK(saving_in(result.err).empty());
      if (says_that_no_cause_is_known(result.out + result.err)) ++told;
    }
    CHECK(told > 10);
  }
}

// The trace has a saving if its calls are those of CUDA. saving_in() must find it.
TEST_CASE("with calls of CUDA, the same trace has a saving", "[foreign-calls]") {
  const TemporaryFolder folder;
  const std::string trace = idle_trace(folder, "cudaLaunchKernel", "cudaFree", "cuda_runtime");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"analyze", trace},
        {"whatif", trace},
        {"report", trace, "--format", "json", "-o", "-"},
        {"report", trace, "--format", "html", "-o", "-"},
        {"report", trace, "--format", "markdown", "-o", "-"}}) {
    const CommandResult result = run_in_process(words);
    INFO(joined(words) << result.out);
    CHECK_FALSE(saving_in(result.out).empty());
    CHECK_FALSE(says_that_no_cause_is_known(result.out + result.err));
  }
}

}  // namespace
}  // namespace lapscope::test
