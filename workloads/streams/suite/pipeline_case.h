#pragma once

#include <functional>
#include <memory>
#include <string>

#include "workloads/streams/suite/case.h"
#include "workloads/streams/suite/pipeline.h"

namespace lapscope::workloads::streams {

// The texts of a case.
struct Text {
  std::string name;
  std::string wrong;
  std::string fix;
};

// Adapts a recipe to the variant of the setting.
using Configure = void (*)(Recipe&, const Setting&);

// Returns a case with a broken and a fixed variant. The caller must set Case::make.
Case pair_of(Text text, Cause cause, Expect broken, Expect fixed);

// Returns a case for a pipeline, with a broken and a fixed variant. If `fixed` is null, the fixed
// variant is expected to overlap completely.
Case pipeline_pair(Text text, Cause cause, Expect broken, Configure configure,
                   Expect fixed = nullptr);

// Returns a function that makes the workload of a pipeline case.
std::function<std::unique_ptr<Workload>(const Setting&)> make_pipeline(Configure configure);

// Expectations that most pipelines use.
Expectation serial(const PartTimes& parts, const Shape& shape);
Expectation serial_with_round_trips(const PartTimes& parts, const Shape& shape);
Expectation overlapped(const PartTimes& parts, const Shape& shape);

}  // namespace lapscope::workloads::streams
