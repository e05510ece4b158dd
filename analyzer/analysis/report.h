#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/measures/measure.h"
#include "analyzer/measures/states.h"
#include "analyzer/model/trace.h"

// The result of an analysis as plain values. Renderers depend on this header and never on how the
// values came about.
namespace lapscope::analyzer {

struct MeasureResult {
  const Measure* measure = nullptr;  // name, unit and definition
  Value value;
};

struct EngineResult {
  Engine engine = Engine::compute;
  std::int64_t busy_ns = 0;
  std::int64_t ops = 0;
};

struct StreamResult {
  Stream stream;
  std::int64_t ops = 0;
  std::int64_t busy_ns = 0;
};

struct DeviceResult {
  std::int64_t id = 0;
  std::string name;
  Interval window;
  std::int64_t ops = 0;
  std::vector<MeasureResult> measures;
  std::vector<StateTime> states;
  std::vector<EngineResult> engines;  // those with ops
  std::vector<StreamResult> streams;  // those with ops, by id
};

// Whether the figures can be relied on. Causes of serialization are not judged here.
enum class Trust { sound, inconclusive };

struct Report {
  std::string tool_version;
  TraceFacts trace;
  std::vector<HealthRow> health;
  Trust trust = Trust::sound;
  std::vector<DeviceResult> devices;
};

}  // namespace lapscope::analyzer
