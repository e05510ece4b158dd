#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/collector/support/temporary_folder.h"
#include "tests/support/json.h"

namespace lapscope::test {
namespace {

constexpr int steps = 12;
constexpr int step_us = 1'000;
constexpr int transfer_us = 50;

// Writes a profile of one rank in PyTorch's format. At the begin of a step, the host launches a
// kernel and an all-reduce, and then waits. On all ranks, the all-reduce ends 900 us after this
// begin:
//
//   a rank that computes for 100 us   [kernel][all-reduce                        ]
//   one that computes for 800 us      [kernel                        ][all-reduce]
void write_rank(const std::string& path, int rank, int compute_us, int second = 0) {
  std::ofstream out(path);
  out << R"({"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": )" << rank
      << R"(, "world_size": 2}, "baseTimeNanoseconds": )" << 1'700'000'000 + second
      << R"(000000000,)"
      << R"( "deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3", "numSms": 132}],)"
      << R"( "traceEvents": [)";
  int id = 0;
  const auto add = [&](const char* name, int stream, int launch, int start, int length) {
    out << (id == 0 ? "" : ",\n")
        << fmt::format(
               R"({{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9,)"
               R"( "tid": 9, "ts": {}, "dur": 2, "args": {{"correlation": {}}}}},)"
               R"({{"ph": "X", "cat": "kernel", "name": "{}", "pid": 0, "tid": {}, "ts": {},)"
               R"( "dur": {}, "args": {{"device": 0, "stream": {}, "correlation": {},)"
               R"( "grid": [132, 1, 1], "block": [128, 1, 1], "registers per thread": 32,)"
               R"( "shared memory": 0}}}})",
               launch, id, name, stream, start, length, stream, id);
    ++id;
  };
  const auto wait = [&](int start, int length) {
    out << fmt::format(
        ",\n"
        R"({{"ph": "X", "cat": "cuda_runtime", "name": "cudaDeviceSynchronize", "pid": 9,)"
        R"( "tid": 9, "ts": {}, "dur": {}, "args": {{"correlation": {}}}}})",
        start, length, id++);
  };
  for (int step = 0; step < steps; ++step) {
    const int start = 1'000 + step * step_us;
    add("gemm", 7, start - 8, start, compute_us);
    add("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20, start - 4, start + compute_us,
        800 + transfer_us - compute_us);
    wait(start, 800 + transfer_us + 2);
  }
  out << "]}";
}

// Returns whether the text contains the part, whatever the line breaks are.
bool mentions(std::string text, std::string_view part) {
  text = std::regex_replace(text, std::regex(R"(\s+)"), " ");
  return text.find(part) != std::string::npos;
}

TEST_CASE("a folder of ranks is analyzed as one run", "[ranks]") {
  const TemporaryFolder folder;
  write_rank(folder / "rank0.json", 0, 100);
  write_rank(folder / "rank1.json", 1, 800);
  std::ofstream(folder / "manifest.1.json") << "{}";
  std::ofstream(folder / "notes.txt") << "no trace";

  const CommandResult text = run_lapscope({"analyze", folder.path()});
  INFO(text.out << text.err);
  CHECK(text.status == 0);
  CHECK(mentions(text.out, "rank 1, whose kernels take longer than kernels of the same name and"));
  CHECK(mentions(text.out, "elsewhere: gemm (132 blocks of 128 threads) 800.00 us, on the other"));
  CHECK(mentions(text.out, "2 ranks on 1 host (NVIDIA H100 80GB HBM3)"));
  CHECK(mentions(text.out, "rank0.json"));

  const auto json = parse_json(run_lapscope({"analyze", "--format", "json", folder.path()}).out);
  CHECK(json["schema"] == "lapscope-ranks/1");
  CHECK(json["verdict"] == "findings");
  const auto& first = json["findings"].at(0);
  CHECK(first["code"] == "straggler");
  CHECK(first["rank"] == "1");
  CHECK(first["late_by"] == "longer_kernels");
  CHECK(first["kernel"]["mean_ns"] == 800'000);
  CHECK(first["kernel"]["others_mean_ns"] == 100'000);
  CHECK(first["most_saving_ns"] == steps * 700'000);
  for (const auto& rank : json["ranks"]) {
    CHECK(rank["transferring_ns"] == steps * transfer_us * 1'000);
    std::int64_t sum = 0;
    for (const char* part :
         {"computing_ns", "transferring_ns", "waiting_ns", "other_communication_ns", "idle_ns"}) {
      sum += rank[part].get<std::int64_t>();
    }
    CHECK(sum == json["window_ns"]);
  }
}

TEST_CASE("ranks on different devices are shown with both", "[ranks]") {
  const TemporaryFolder like;
  const TemporaryFolder mixed;
  for (const TemporaryFolder* folder : {&like, &mixed}) {
    write_rank(*folder / "rank0.json", 0, 100);
    write_rank(*folder / "rank1.json", 1, 800);
  }
  std::string text = read_file(mixed / "rank1.json");
  const std::string device = "NVIDIA H100 80GB HBM3";
  text.replace(text.find(device), device.size(), "NVIDIA T4");
  write_file(mixed / "rank1.json", text);
  const CommandResult run = run_lapscope({"analyze", mixed.path()});
  CHECK(mentions(run.out, "2 ranks on 1 host (NVIDIA H100 80GB HBM3, NVIDIA T4)"));
  CHECK(mentions(run.out, "It runs on another device, NVIDIA T4."));
  CHECK(mentions(run.out, "Fix: Use equal devices, or divide the work by their speed."));
  const CommandResult same = run_lapscope({"analyze", like.path()});
  CHECK_FALSE(mentions(same.out, "another device"));
  const CommandResult diff = run_lapscope({"diff", like.path(), mixed.path()});
  CHECK(mentions(diff.out, "devices NVIDIA H100 80GB HBM3 NVIDIA H100 80GB HBM3, NVIDIA T4"));
}

TEST_CASE("what is wrong with a folder is said", "[ranks]") {
  const TemporaryFolder folder;
  const CommandResult empty = run_lapscope({"analyze", folder.path()});
  CHECK(empty.status == 4);
  CHECK(mentions(empty.err, "is a folder, not a trace. Name a trace in it"));

  write_rank(folder / "rank1.json", 1, 100);
  const CommandResult missing = run_lapscope({"analyze", folder.path()});
  CHECK(missing.status == 3);
  CHECK(mentions(missing.out, "Inconclusive: there is no trace of rank 0."));

  write_rank(folder / "rank0.json", 0, 100);
  write_rank(folder / "again.json", 0, 100);
  const CommandResult twice = run_lapscope({"analyze", folder.path()});
  CHECK(twice.status == 3);
  CHECK(mentions(twice.out, "rank 0 is there more than once"));

  std::ofstream(folder / "rank1.json") << "no JSON";
  CHECK(run_lapscope({"analyze", folder.path()}).status == 4);
}

TEST_CASE("where a rank's trace is incomplete, the run is inconclusive", "[ranks]") {
  const TemporaryFolder folder;
  write_rank(folder / "rank0.json", 0, 100);
  write_rank(folder / "rank1.json", 1, 800);
  std::string text = read_file(folder / "rank1.json");
  const std::string launch = R"("name": "cudaLaunchKernel")";
  text.replace(text.find(launch), launch.size(), R"("name": "hipLaunchKernel")");
  write_file(folder / "rank1.json", text);
  const CommandResult result = run_lapscope({"analyze", folder.path()});
  INFO(result.out << result.err);
  CHECK(result.status == 3);
  CHECK(mentions(result.out, "rank1.json' is incomplete."));
}

TEST_CASE("a folder is named alone, and shown as text or JSON", "[ranks]") {
  const TemporaryFolder folder;
  write_rank(folder / "rank0.json", 0, 100);
  const std::string path = folder.path();
  CHECK(run_lapscope({"analyze", path, folder / "rank0.json"}).status == 2);
  CHECK(run_lapscope({"analyze", "--format", "markdown", path}).status == 2);
  CHECK(run_lapscope({"analyze", "--by", "line", path}).status == 2);
  CHECK(run_lapscope({"gate", "--max-idle", "1", path, folder / "rank0.json"}).status == 2);
  CHECK(run_lapscope({"summarize", path, folder / "rank0.json"}).status == 2);
  CHECK(run_lapscope({"diff", path, path, "--format", "html"}).status == 2);
}

TEST_CASE("a gate judges each rank of a folder", "[ranks]") {
  const TemporaryFolder folder;
  write_rank(folder / "rank0.json", 0, 100);
  write_rank(folder / "rank1.json", 1, 800);
  const CommandResult text = run_lapscope({"gate", "--whole", "--max", "wall=1s", folder.path()});
  INFO(text.out << text.err);
  CHECK(text.status == 0);
  CHECK(mentions(text.out, "rank 0"));
  CHECK(mentions(text.out, "rank 1"));

  // A gate compares each rank with the same rank of the baseline, which is a folder or a summary.
  const std::string base = folder / "base.json";
  CHECK(run_lapscope({"summarize", folder.path(), "-o", base}).status == 0);
  const TemporaryFolder later;
  write_rank(later / "rank0.json", 0, 100, 3);
  write_rank(later / "rank1.json", 1, 800, 3);
  for (const std::string& baseline : {base, folder.path().string()}) {
    INFO(baseline);
    const CommandResult compared = run_lapscope(
        {"gate", "--whole", "--baseline", baseline, "--compare", "wall", later.path()});
    INFO(compared.out << compared.err);
    CHECK(compared.status == 0);
  }

  const CommandResult together = run_lapscope({"gate", "--forbid", "straggler=10%", folder.path()});
  INFO(together.out << together.err);
  CHECK(together.status == 1);
  CHECK(mentions(together.out, "failed all ranks forbid straggler"));
  CHECK(mentions(together.out, "Rank 1 is the last of 12 of 12 collectives; its device works"));
  CHECK(run_lapscope({"gate", "--forbid", "straggler=90%", folder.path()}).status == 0);
  CHECK(run_lapscope({"gate", "--forbid", "straggler", folder / "rank0.json"}).status == 2);

  // A folder without the trace of rank 0 is no complete run, so the gate is inconclusive.
  std::filesystem::remove(later / "rank0.json");
  const CommandResult missing = run_lapscope({"gate", "--whole", "--max", "wall=1s", later.path()});
  CHECK(missing.status == 3);
  CHECK(mentions(missing.out, "there is no trace of rank 0"));
  const CommandResult unsummarized = run_lapscope({"summarize", later.path()});
  CHECK(unsummarized.status == 3);
  CHECK(unsummarized.out.empty());
}

TEST_CASE("ranks that were summarized where they ran are analyzed as their traces are", "[ranks]") {
  const TemporaryFolder folder;
  const TemporaryFolder summaries;
  write_rank(folder / "rank0.json", 0, 100);
  write_rank(folder / "rank1.json", 1, 800);
  for (const char* rank : {"rank0.json", "rank1.json"}) {
    const CommandResult made =
        run_lapscope({"summarize", "--ranks", folder / rank, "-o", summaries / rank});
    INFO(made.err);
    REQUIRE(made.status == 0);
  }
  auto of_traces = parse_json(run_lapscope({"analyze", "--format", "json", folder.path()}).out);
  const CommandResult merged =
      run_lapscope({"analyze", "--summaries", "--format", "json", summaries.path()});
  INFO(merged.err);
  auto of_summaries = parse_json(merged.out);
  CHECK(of_summaries["folder"] != of_traces["folder"]);
  of_summaries.erase("folder");
  of_traces.erase("folder");
  CHECK(of_summaries == of_traces);

  // In a folder without traces, lapscope reads summaries.
  auto of_folder = parse_json(run_lapscope({"analyze", "--format", "json", summaries.path()}).out);
  of_folder.erase("folder");
  CHECK(of_folder == of_traces);
  const auto first_line = [](const CommandResult& result) {
    return result.out.substr(0, result.out.find('\n'));
  };
  CHECK(first_line(run_lapscope({"diff", folder.path(), summaries.path()})) ==
        first_line(run_lapscope({"diff", folder.path(), folder.path()})));
  CHECK(run_lapscope({"whatif", summaries.path(), "--fix", "straggler"}).out ==
        run_lapscope({"whatif", folder.path(), "--fix", "straggler"}).out);

  // One summary of both ranks gives the same result as two summaries.
  const TemporaryFolder one;
  REQUIRE(run_lapscope({"summarize", "--ranks", folder.path(), "-o", one / "node.json"}).status ==
          0);
  auto of_one =
      parse_json(run_lapscope({"analyze", "--summaries", "--format", "json", one.path()}).out);
  of_one.erase("folder");
  CHECK(of_one == of_traces);

  const CommandResult page =
      run_lapscope({"report", "--summaries", summaries.path(), "-o", one / "page.html"});
  INFO(page.err);
  CHECK(page.status == 0);
  CHECK(read_file(one / "page.html").find("waits for another rank") != std::string::npos);
  const CommandResult drawn =
      run_lapscope({"report", "--summaries", summaries.path(), "--format", "perfetto"});
  CHECK(drawn.status == 2);
  CHECK(mentions(drawn.err, "summaries hold no single ops to draw"));
  CHECK(run_lapscope({"analyze", "--summaries", summaries.path(), one.path()}).status == 2);
  const CommandResult none = run_lapscope({"analyze", "--summaries", folder.path()});
  CHECK(none.status == 4);
  CHECK(mentions(none.err, "There is no summary of ranks in"));
}

TEST_CASE("summaries of ranks are gated by what is between the ranks", "[ranks]") {
  const TemporaryFolder folder;
  const TemporaryFolder summaries;
  write_rank(folder / "rank0.json", 0, 100);
  write_rank(folder / "rank1.json", 1, 800);
  REQUIRE(
      run_lapscope({"summarize", "--ranks", folder.path(), "-o", summaries / "node.json"}).status ==
      0);
  const auto gate = [](const std::string& run, const std::string& condition) {
    return run_lapscope({"gate", "--forbid", condition, run});
  };
  const CommandResult failed = gate(summaries.path(), "straggler");
  CHECK(failed.status == 1);
  CHECK(mentions(failed.out, "Rank 1 is the last of"));
  CHECK(gate(summaries.path(), "straggler=90%").status == 0);
  // The traces give the same result.
  CHECK(gate(folder.path(), "straggler").status == 1);

  const CommandResult of_one =
      run_lapscope({"gate", "--min", "overlap_ratio=0.5", summaries.path()});
  CHECK(of_one.status == 2);
  CHECK(mentions(of_one.err, "hold no measures of single ranks"));

  // Summaries lack measures of single ranks, so a condition on such a measure needs traces of the
  // baseline.
  const CommandResult against = run_lapscope(
      {"gate", "--min", "overlap_ratio=0.5", "--baseline", summaries.path(), folder.path()});
  CHECK(against.status == 2);
  CHECK(mentions(against.err, "compare with its traces"));
  const CommandResult in_window = run_lapscope({"analyze", "--window", "0", "5", summaries.path()});
  CHECK(in_window.status == 2);
  CHECK(mentions(in_window.err, "--window does not apply to"));

  const TemporaryFolder alone;
  REQUIRE(run_lapscope({"summarize", "--ranks", folder / "rank1.json", "-o", alone / "node.json"})
              .status == 0);
  const CommandResult missing = gate(alone.path(), "straggler");
  CHECK(missing.status == 3);
  CHECK(mentions(missing.out, "there is no trace of rank 0"));
}

TEST_CASE("two folders of ranks are compared by their steps", "[ranks]") {
  const TemporaryFolder before;
  const TemporaryFolder after;
  write_rank(before / "rank0.json", 0, 100);
  write_rank(before / "rank1.json", 1, 800);
  write_rank(after / "rank0.json", 0, 800);
  write_rank(after / "rank1.json", 1, 800);
  const CommandResult text = run_lapscope({"diff", before.path(), after.path()});
  INFO(text.out << text.err);
  CHECK(text.status == 0);
  CHECK(mentions(text.out, "As fast as before, as far as steps scatter: straggler is gone"));
  const auto json =
      parse_json(run_lapscope({"diff", "--format", "json", before.path(), after.path()}).out);
  CHECK(json["schema"] == "lapscope-ranks-diff/1");
  CHECK(json["change"] == "same");
  CHECK(json["before"]["step_ns"]["median"] == step_us * 1'000);
  CHECK(json["before"]["mean_in_step_ns"]["waits"].get<int>() >
        json["after"]["mean_in_step_ns"]["waits"].get<int>());
  CHECK(json["causes"].at(0)["code"] == "straggler");
  CHECK(json["causes"].at(0)["after"].is_null());

  const CommandResult mixed = run_lapscope({"diff", before.path(), after / "rank0.json"});
  CHECK(mixed.status == 2);
  CHECK(mentions(mixed.err, "is a folder of ranks, and"));
  const CommandResult missing = run_lapscope({"diff", before.path(), after / "none"});
  CHECK(missing.status == 4);
  CHECK(mentions(missing.err, "none' does not exist."));
  std::filesystem::remove(after / "rank0.json");
  const CommandResult open = run_lapscope({"diff", before.path(), after.path()});
  CHECK(open.status == 3);
  CHECK(mentions(open.out, "there is no trace of rank 0"));
}

TEST_CASE("a gate checks all ranks, the worst rank, or the median rank", "[ranks]") {
  const TemporaryFolder folder;
  write_rank(folder / "rank0.json", 0, 100);
  write_rank(folder / "rank1.json", 1, 800);
  const auto gate = [&](const std::string& over) {
    return run_lapscope({"gate", "--min", "overlap_ratio=-9", "--max", "busy=20ms", "--over", over,
                         "--format", "json", folder.path()});
  };
  const auto gates_of = [](const CommandResult& result) {
    INFO(result.out << result.err);
    return parse_json(result.out)["gates"];
  };
  CHECK(gates_of(gate("all")).size() == 2);
  const auto worst = gates_of(gate("worst"));
  REQUIRE(worst.size() == 1);
  CHECK(worst.at(0)["name"] == "command line, worst rank");
  CHECK(worst.at(0)["files"].size() == 2);
  CHECK(gates_of(gate("median")).at(0)["name"] == "command line, median rank");
  const CommandResult wrong = gate("some");
  CHECK(wrong.status == 2);
  CHECK(mentions(wrong.err, "'some' is none of all, worst and median"));
  const CommandResult single =
      run_lapscope({"gate", "--min", "overlap_ratio=-9", "--over", "worst", folder / "rank0.json"});
  CHECK(single.status == 2);
  CHECK(mentions(single.err, "is about the ranks of a folder"));
}

TEST_CASE("options that select work of one trace are refused for a folder") {
  const TemporaryFolder folder;
  write_rank(folder / "rank0.json", 0, 100);
  write_rank(folder / "rank1.json", 1, 800);
  const std::string path = folder.path();
  using Arguments = std::vector<std::string>;
  for (const Arguments& option :
       {Arguments{"--window", "0", "5"}, Arguments{"--range", "step"},
        Arguments{"--profiler-brackets"}, Arguments{"--iterations", "step"}}) {
    for (const Arguments& command :
         {Arguments{"analyze", path}, Arguments{"whatif", path}, Arguments{"diff", path, path}}) {
      if (option[0] == "--iterations" && command[0] != "analyze") continue;
      if (option[0] == "--window" && command[0] == "diff") continue;
      Arguments all = command;
      all.insert(all.end(), option.begin(), option.end());
      const CommandResult refused = run_lapscope(all);
      INFO(command[0] << " " << refused.out << refused.err);
      CHECK(refused.status == 2);
      CHECK(mentions(refused.err, option[0] + " does not apply to '" + path + "'"));
      CHECK(mentions(refused.err, "give the trace of one rank"));
    }
  }
  // A gate evaluates each rank alone. No rank has this range.
  CHECK(run_lapscope({"gate", path, "--range", "step", "--max-idle", "70%"}).status == 3);
}

TEST_CASE("what fixes between ranks would save is listed", "[ranks]") {
  const TemporaryFolder folder;
  write_rank(folder / "rank0.json", 0, 100);
  write_rank(folder / "rank1.json", 1, 800);
  const CommandResult all = run_lapscope({"whatif", folder.path()});
  INFO(all.out << all.err);
  CHECK(all.status == 0);
  CHECK(mentions(all.out, "straggler"));
  CHECK(mentions(all.out, "rank 1"));
  CHECK(mentions(all.out, "exposed-communication"));
  const CommandResult one = run_lapscope({"whatif", folder.path(), "--fix", "straggler"});
  CHECK(one.status == 0);
  CHECK_FALSE(mentions(one.out, "exposed-communication"));
  const CommandResult wrong = run_lapscope({"whatif", folder.path(), "--fix", "host-sync"});
  CHECK(wrong.status == 2);
  CHECK(mentions(wrong.err, "'host-sync' is no cause between ranks"));
}

}  // namespace

}  // namespace lapscope::test
