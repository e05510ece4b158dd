#include "analyzer/summary/summary_file.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "analyzer/model/harmless_text.h"
#include "analyzer/model/json_node.h"
#include "analyzer/model/limits.h"

namespace lapscope::analyzer {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

using Node = JsonNode;

std::vector<MeasureSummary> read_measures(const Node& node) {
  std::vector<MeasureSummary> entries;
  node.members([&entries](const std::string& name, const Node& value) {
    const Measure* measure = find_measure(name);
    if (measure == nullptr) return;
    if (value.is_text()) {
      entries.push_back({measure, std::nullopt, value.text()});
    } else if (measure->unit == MeasureUnit::ns) {
      entries.push_back({measure, static_cast<double>(value.integer()), ""});
    } else {
      entries.push_back({measure, value.number(), ""});
    }
  });
  return entries;
}

GapsSummary read_gaps(const Node& node) {
  GapsSummary gaps;
  gaps.count = node.at("count").integer();
  gaps.total_ns = node.at("total_ns").integer();
  node.at("by_cause").members([&gaps](const std::string& code, const Node& ns) {
    gaps.by_cause.emplace(code, ns.integer());
  });
  return gaps;
}

FindingSummary read_finding(const Node& node) {
  FindingSummary finding;
  finding.code = node.at("code").text();
  finding.what = node.at("what").text();
  finding.saving_ns = node.at("saving_ns").integer();
  finding.saving_share = node.at("saving_share").number();
  finding.occurrences = node.at("occurrences").integer();
  finding.explanation = node.at("explanation").text();
  finding.fix = node.at("fix").text();
  // Absent in summaries of older versions.
  if (node.has("at") && !node.at("at").is_null()) {
    const Node at = node.at("at");
    finding.at = {at.at("file").text(), at.at("line").integer(), at.at("function").text()};
  }
  return finding;
}

BlameSummary read_blame(const Node& node) {
  const auto kind =
      node.at("kind").one_of<BlameKind>({{"work", BlameKind::work}, {"wait", BlameKind::wait}});
  return {node.at("code").text(), kind, node.at("ns").integer()};
}

std::optional<CausesSummary> read_causes(const Node& node) {
  if (node.is_null()) return std::nullopt;
  CausesSummary causes;
  causes.replay_error = node.at("replay_error").number();
  if (node.has("model_error")) causes.model_error = node.at("model_error").number();
  if (node.has("unexplained_share")) {
    causes.unexplained_share = node.at("unexplained_share").number();
  }
  causes.blame = node.at("blame").elements(read_blame);
  causes.findings = node.at("findings").elements(read_finding);
  if (node.has("lacking")) {
    causes.lacking = node.at("lacking").elements([](const Node& kind) { return kind.text(); });
  }
  if (node.has("doubted")) {
    causes.doubted = node.at("doubted").elements([](const Node& code) { return code.text(); });
  }
  const auto read_shares = [&node](const char* name, std::map<std::string, Share>& shares) {
    node.at(name).members([&shares](const std::string& code, const Node& share) {
      shares.emplace(code, share.number());
    });
  };
  if (node.has("savings")) read_shares("savings", causes.savings);
  if (node.has("possible")) read_shares("possible", causes.possible.emplace());
  return causes;
}

// Returns the provenance of a run. Returns empty if the summary lacks the provenance. In this case,
// a gate does not evaluate the run.
std::optional<Provenance> read_provenance(const Node& run) {
  if (!run.has("provenance") || run.at("provenance").is_null()) return std::nullopt;
  const Node node = run.at("provenance");
  const auto text = [](const Node& element) { return element.text(); };
  // In a summary without this key, an op belongs to a range only if the thread that opened the
  // range issued it.
  const RangeThreads threads =
      !node.has("range_threads")
          ? RangeThreads::own
          : node.at("range_threads")
                .one_of<RangeThreads>({{name_of(RangeThreads::own), RangeThreads::own},
                                       {name_of(RangeThreads::helpers), RangeThreads::helpers}});
  return Provenance{node.at("identity").text(), node.at("recorded").elements(text),
                    node.at("communication").elements(text), threads};
}

SteadyState read_steady(const Node& node) {
  SteadyState state;
  state.by = node.at("by").one_of<SteadyBy>({{name_of(SteadyBy::profiler), SteadyBy::profiler},
                                             {name_of(SteadyBy::iterations), SteadyBy::iterations},
                                             {name_of(SteadyBy::range), SteadyBy::range}});
  state.instances = node.at("instances").integer();
  state.warm_up = node.at("warm_up").integer();
  state.work_share = node.at("work_share").number();
  state.range = kept_name(node.at("range").text());
  return state;
}

ScopeSummary read_scope(const Node& node) {
  ScopeSummary scope;
  scope.kind =
      node.at("kind").one_of<ScopeKind>({{name_of(ScopeKind::device), ScopeKind::device},
                                         {name_of(ScopeKind::nvtx), ScopeKind::nvtx},
                                         {name_of(ScopeKind::profiler), ScopeKind::profiler},
                                         {name_of(ScopeKind::steady), ScopeKind::steady}});
  scope.name = kept_name(node.at("name").text());
  if (node.has("steady")) {
    scope.steady = read_steady(node.at("steady"));
    scope.words = {node.at("steady").at("source").text(), node.at("source").text()};
  }
  scope.instances = node.at("instances").integer();
  scope.ops = node.at("ops").integer();
  scope.measures = read_measures(node.at("measures"));
  scope.gaps = read_gaps(node.at("gaps"));
  scope.causes = read_causes(node.at("causes"));
  scope.kernels = node.at("kernels").elements([](const Node& kernel) {
    return KernelResult{kept_name(kernel.at("name").text()), kernel.at("ops").integer(),
                        kernel.at("sum_ns").integer(), kernel.at("shared_ns").integer()};
  });
  return scope;
}

RunSummary read_run(const Node& node) {
  RunSummary run;
  run.tool_version = node.at("tool").at("version").text();
  const Node trace = node.at("trace");
  run.trace.file = trace.at("file").text();
  run.trace.format = trace.at("format").text();
  run.trace.command = trace.at("command").text();
  run.trace.created = trace.at("created").text();
  run.trace.driver = trace.at("driver").text();
  run.trace.cupti = trace.at("cupti").text();
  run.trace.recorder = trace.at("recorder").text();
  if (trace.has("rank")) run.trace.rank = trace.at("rank").text();
  run.health = node.at("health").elements([](const Node& row) {
    return HealthSummary{row.at("code").text(),
                         row.at("severity")
                             .one_of<Severity>({{name_of(Severity::info), Severity::info},
                                                {name_of(Severity::warning), Severity::warning},
                                                {name_of(Severity::error), Severity::error}}),
                         row.at("count").integer(),
                         {row.at("message").text(), row.at("remedy").text()}};
  });
  run.trust = node.at("trust").one_of<Trust>(
      {{"sound", Trust::sound}, {"inconclusive", Trust::inconclusive}});
  run.provenance = read_provenance(node);
  run.devices = node.at("devices").elements([](const Node& device) {
    return DeviceSummary{device.at("id").integer(), kept_name(device.at("name").text()),
                         device.at("scopes").elements(read_scope),
                         // Absent in summaries of older versions.
                         device.has("sought_steady") && device.at("sought_steady").flag()};
  });
  return run;
}

Json parse(const fs::path& path) {
  std::error_code error;
  if (fs::file_size(path, error) > limits::summary_bytes && !error) {
    throw UnreadableSummary("has more than " + std::to_string(limits::summary_bytes) + " bytes");
  }
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw UnreadableSummary("cannot be read");
  try {
    return Json::parse(text);
  } catch (const Json::exception&) {
    throw UnreadableSummary("is no JSON, or cut short");
  }
}

std::vector<RunSummary> read_runs(const Json& json) {
  const Node root(json, "");
  const std::string schema = root.at("schema").text();
  if (schema != summary_schema) {
    throw UnreadableSummary("has the schema '" + schema + "' instead of '" +
                            std::string(summary_schema) + "'");
  }
  auto runs = root.at("runs").elements(read_run);
  if (runs.empty()) throw UnreadableSummary("runs is empty");
  return runs;
}

}  // namespace

bool looks_like_summary(const fs::path& path) {
  std::error_code error;
  // Linux reports size 0 for files in /proc. Reading such a file may never end.
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) == 0) return false;
  std::ifstream file(path, std::ios::binary);
  char first = 0;
  return file >> first && first == '{';
}

std::vector<RunSummary> read_summary(const fs::path& path) {
  try {
    auto runs = read_runs(parse(path));
    for (RunSummary& run : runs) run.read_from = path.string();
    return runs;
  } catch (const std::runtime_error& unreadable) {
    throw UnreadableSummary("'" + path.string() +
                            "' is not a summary that this lapscope can read: " + unreadable.what() +
                            ". Make it again with `lapscope summarize TRACE -o FILE`.");
  }
}

}  // namespace lapscope::analyzer
