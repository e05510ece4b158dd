#include "analyzer/summary/summary_file.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "analyzer/model/harmless_text.h"
#include "analyzer/model/json_fields.h"
#include "analyzer/model/limits.h"

namespace lapscope::analyzer {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::vector<MeasureSummary> read_measures(const JsonNode& node) {
  std::vector<MeasureSummary> entries;
  node.members([&entries](const std::string& name, const JsonNode& value) {
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

Json measures_json(const std::vector<MeasureSummary>& entries) {
  Json json = Json::object();
  for (const MeasureSummary& entry : entries) {
    Json& value = json[std::string(entry.measure->name)];
    if (!entry.value) {
      value = entry.reason;
    } else if (entry.measure->unit == MeasureUnit::ns) {
      value = static_cast<std::int64_t>(*entry.value);
    } else {
      value = *entry.value;
    }
  }
  return json;
}

}  // namespace

void fields(JsonIo& io, HealthSummary& row) {
  io("code", row.code);
  io.one_of("severity", row.severity, {Severity::info, Severity::warning, Severity::error});
  io("count", row.count);
  io("message", row.words.message);
  io("remedy", row.words.remedy);
}

void fields(JsonIo& io, GapsSummary& gaps) {
  io("count", gaps.count);
  io("total_ns", gaps.total_ns);
  io("by_cause", gaps.by_cause);
}

void fields(JsonIo& io, BlameSummary& row) {
  io("code", row.code);
  io.one_of("kind", row.kind, {BlameKind::work, BlameKind::wait});
  io("ns", row.ns);
}

void fields(JsonIo& io, SourcePlace& place) {
  io("file", place.file);
  io("line", place.line);
  io("function", place.function);
}

void fields(JsonIo& io, FindingSummary& finding) {
  io("code", finding.code);
  io("what", finding.what);
  io("saving_ns", finding.saving_ns);
  io("saving_share", finding.saving_share);
  io("occurrences", finding.occurrences);
  io("explanation", finding.explanation);
  io("fix", finding.fix);
  io.added("at", finding.at);
}

void fields(JsonIo& io, CausesSummary& causes) {
  io("replay_error", causes.replay_error);
  io.added("model_error", causes.model_error);
  io.added("unexplained_share", causes.unexplained_share);
  io("blame", causes.blame);
  io("findings", causes.findings);
  io.added("savings", causes.savings);
  io.added("lacking", causes.lacking);
  io.added("doubted", causes.doubted);
  if (io.has("possible", causes.possible.has_value())) {
    io("possible", causes.possible ? *causes.possible : causes.possible.emplace());
  }
}

void fields(JsonIo& io, KernelResult& kernel) {
  io("name", kernel.name, kept_text);
  io("ops", kernel.ops);
  io("sum_ns", kernel.sum_ns);
  io("shared_ns", kernel.shared_ns);
}

void fields(JsonIo& io, ScopeSummary& scope) {
  io.one_of("kind", scope.kind,
            {ScopeKind::device, ScopeKind::nvtx, ScopeKind::profiler, ScopeKind::steady});
  io("name", scope.name, kept_text);
  io("instances", scope.instances);
  io("ops", scope.ops);
  io("measures", scope.measures, read_measures, measures_json);
  io("gaps", scope.gaps);
  io("causes", scope.causes);
  io("kernels", scope.kernels);
  if (!io.has("steady", scope.steady.has_value())) return;
  io("source", scope.words.scope);
  SteadyState& state = scope.steady ? *scope.steady : scope.steady.emplace();
  JsonIo steady = io.object("steady");
  steady.one_of("by", state.by, {SteadyBy::profiler, SteadyBy::iterations, SteadyBy::range});
  steady("source", scope.words.source);
  steady("instances", state.instances);
  steady("warm_up", state.warm_up);
  steady("work_share", state.work_share);
  steady("range", state.range, kept_text);
}

void fields(JsonIo& io, DeviceSummary& device) {
  io("id", device.id);
  io("name", device.name, kept_text);
  io.added("sought_steady", device.sought_steady);
  io("scopes", device.scopes);
}

void fields(JsonIo& io, Provenance& provenance) {
  io("identity", provenance.identity);
  io("recorded", provenance.recorded);
  io("communication", provenance.communication);
  // Summaries without this key come from older versions. In these versions, an op belonged to a
  // range only if the thread that opened the range issued the op.
  if (io.has("range_threads", true)) {
    io.one_of("range_threads", provenance.range_threads,
              {RangeThreads::own, RangeThreads::helpers});
  } else {
    provenance.range_threads = RangeThreads::own;
  }
}

void fields(JsonIo& io, TraceFacts& trace) {
  io("file", trace.file);
  io("format", trace.format);
  io("command", trace.command);
  io("created", trace.created);
  io("driver", trace.driver);
  io("cupti", trace.cupti);
  io("recorder", trace.recorder);
  if (io.has("rank", !trace.rank.empty())) io("rank", trace.rank);
}

void fields(JsonIo& io, RunSummary& run) {
  io.object("tool")("version", run.tool_version);
  io("trace", run.trace);
  io("health", run.health);
  io.one_of("trust", run.trust, {Trust::sound, Trust::inconclusive});
  // Provenance may be missing in older summaries. A gate does not evaluate such a run.
  io.added("provenance", run.provenance);
  io("devices", run.devices);
}

namespace {

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
  const JsonNode root(json, "");
  const std::string schema = root.at("schema").text();
  if (schema != summary_schema) {
    throw UnreadableSummary("has the schema '" + schema + "' instead of '" +
                            std::string(summary_schema) + "'");
  }
  auto runs = root.at("runs").elements(read_json<RunSummary>);
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

void write_summary(std::span<const RunSummary> runs, std::ostream& out) {
  const Json json = {{"schema", summary_schema}, {"runs", written_json(runs)}};
  // Each value has its own line, so that users can compare the lines of two files when they renew a
  // baseline.
  out << harmless_json(json.dump(1, ' ', false, Json::error_handler_t::replace)) << '\n';
}

}  // namespace lapscope::analyzer
