#include <cmath>
#include <filesystem>
#include <set>

#include "analyzer/analysis/resolve_scopes.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/findings/predict.h"
#include "analyzer/graph/build_graph.h"
#include "analyzer/independence/independence.h"
#include "analyzer/model/assumptions.h"
#include "readers/read_trace.h"
#include "tests/catch.h"

// The scope is the whole trace, with set-up, calibration and warm-up.
namespace lapscope::analyzer {
namespace {

namespace fs = std::filesystem;

// A trace and the causes of its devices.
struct Judged {
  explicit Judged(const fs::path& file)
      : name(file.stem()),
        trace(read_trace(file)),
        context(trace, options),
        graph(build_graph(trace, {0, latest_time + 1})) {
    for (const ResolvedScope& one : context.scopes) {
      scopes.push_back(graph_scope(graph, one.device, one.scope));
    }
    causes = find_causes(sources(), scopes, options.causes);
  }
  Sources sources() const { return {trace, context.host, graph}; }

  std::string name;
  AnalyzeOptions options;
  Trace trace;
  Context context;
  Graph graph;
  std::vector<GraphScope> scopes;
  std::vector<CausesResult> causes;  // by scope
};

std::vector<fs::path> recorded() {
  std::vector<fs::path> files;
  for (const char* folder : {"", "oddities"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(LAPSCOPE_TEST_TRACES) / folder)) {
      if (entry.path().extension() == ".sqlite") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Returns whether the trace allows findings with this fix. A finding also needs a delay that the
// fix shortens (docs/model.md, Edit).
bool may_be_found(const Judged& judged, const Fix& fix) {
  if (fix.is_plausible && !fix.is_plausible(judged.trace, judged.graph)) return false;
  return !fix.lacks(judged.trace, judged.graph);
}

// Returns the saving that a finding must exceed.
std::int64_t least_saving(const Judged& judged, std::size_t scope) {
  const CauseOptions& options = judged.options.causes;
  const std::int64_t wall = judged.causes[scope].replay.wall_ns;
  const std::int64_t error = std::abs(wall - judged.scopes[scope].window.length());
  return std::max({options.least_saving_ns, error,
                   static_cast<std::int64_t>(options.least_saving * static_cast<double>(wall))});
}

void check(const Judged& judged) {
  const Independence independence(judged.trace);
  const Predictor predictor(judged.sources());
  for (const Fix* fix : fixes()) {
    if (!may_be_found(judged, *fix)) continue;
    FixRequest request{fix};
    request.independence = &independence;
    const PredictedRun run = predictor.run({request}, Predictor::Output::all);
    for (std::size_t i = 0; i < judged.scopes.size(); ++i) {
      if (judged.scopes[i].tasks.empty()) continue;
      const auto& findings = judged.causes[i].findings;
      const std::int64_t saving = judged.causes[i].replay.wall_ns -
                                  wall_of(judged.scopes[i], longer_end(judged.scopes[i], run));
      INFO(judged.name << " device " << judged.scopes[i].device << ": " << code_of(fix->cause)
                       << " saves " << saving);
      const std::int64_t first = findings.empty() ? 0 : findings.front().saving_ns;
      if (saving > first) CHECK(saving <= least_saving(judged, i));
    }
  }
  for (std::size_t i = 0; i < judged.scopes.size(); ++i) {
    const GraphScope& scope = judged.scopes[i];
    for (const FindingResult& finding : judged.causes[i].findings) {
      INFO(judged.name << ' ' << finding.code);
      CHECK(finding.waited_ns <= scope.window.length());
      for (const Evidence& one : finding.evidence) {
        const bool is_inside =
            one.waiting.start >= std::min(scope.window.start, one.op_interval.start);
        CHECK(is_inside);
      }
    }
  }
}

// Returns whether a finding can be about set-up, warm-up or clean-up. In these phases, a correct
// program may wait for the device and launch short kernels.
bool is_of_phases(std::string_view code) {
  return code == "host-sync" || code == "launch-overhead";
}

// Correct findings in addition to the planted ones.
const std::set<std::pair<std::string_view, std::string_view>> found_beside = {
    {"cublas-default-stream-fixed", "module-load"},  // cuBLAS loads kernels at their first use
    {"peer-copies-fixed", "pageable-copy"},          // reads results back into pageable memory
    {"nccl-all-reduce-fixed", "pageable-copy"},
    {"nccl-all-reduce-fixed", "host-compute"},
    // Threads of NCCL take turns during set-up: one allocates while the other waits.
    {"nccl-all-reduce-fixed", "alloc-free"},
};

TEST_CASE("no fix saves much more of a recorded trace than its first finding") {
  std::size_t fixed_traces = 0;
  std::size_t silent = 0;
  for (const fs::path& file : recorded()) {
    const Judged judged(file);
    check(judged);
    const bool is_fixed = judged.name.ends_with("-fixed") || judged.name.ends_with("-control");
    if (!is_fixed) continue;
    ++fixed_traces;
    bool is_silent = true;
    for (const CausesResult& causes : judged.causes) {
      is_silent &= causes.findings.empty();
      for (const FindingResult& finding : causes.findings) {
        INFO(judged.name << ' ' << finding.code << ' ' << finding.what.name);
        CHECK((is_of_phases(finding.code) || found_beside.count({judged.name, finding.code}) == 1));
      }
    }
    silent += is_silent;
  }
  REQUIRE(fixed_traces > 40);
  CHECK(silent >= 9);
}

}  // namespace
}  // namespace lapscope::analyzer
