#include <utility>

#include "readers/kineto/health.h"
#include "readers/kineto/import.h"
#include "readers/tables/provenance.h"
#include "readers/trace_format.h"

namespace lapscope::analyzer {
namespace {

// Of all JSON: a file of the profiler that is damaged is best complained of as one.
Likeness likeness(const std::filesystem::path& file) {
  switch (kineto::kind_of_json(file)) {
    case kineto::JsonKind::none:
      return Likeness::none;
    case kineto::JsonKind::other:
      return Likeness::possible;
    case kineto::JsonKind::timeline:
      return Likeness::certain;
  }
  return Likeness::none;
}

Extent begin(schema::Database& database, Trace& trace) {
  trace.facts = facts_of(read_capture(database));
  trace.facts.recorder = "PyTorch's profiler";
  kineto::add_health(database, trace.health);
  return {};
}

}  // namespace

const TraceFormat kineto_format = {.name = "kineto",
                                   .recorder = "PyTorch's profiler",
                                   .knows = {.every_kind = false,
                                             .recorded_kinds = false,
                                             .driver_calls = false,
                                             .lost_records = false,
                                             .empty_tables = false,
                                             .end_of_gpu = false,
                                             .graph_nodes = false,
                                             .addresses = false},
                                   .file = {.likeness = likeness,
                                            .import = kineto::import_trace,
                                            .import_seconds = 4.5e-3,
                                            .trace_share = 0.1},
                                   .begin = begin};

}  // namespace lapscope::analyzer
