#pragma once

#include <functional>
#include <memory>
#include <string>

#include "workloads/streams/suite/case.h"
#include "workloads/streams/suite/pipeline.h"

namespace lapscope::workloads::streams {

// What a case says about itself.
struct Text {
  std::string name;
  std::string wrong;
  std::string fix;
};

// Changes a recipe into that of a variant.
using Configure = void (*)(Recipe&, const Setting&);

// A case with a broken and a fixed variant. `make` is left out.
Case pair_of(Text text, Cause cause, Expect broken, Expect fixed);

// The same for a pipeline. `fixed` is the expectation of a pipeline as good as it gets unless
// given.
Case pipeline_pair(Text text, Cause cause, Expect broken, Configure configure,
                   Expect fixed = nullptr);

// Makes the workload of a case that is a pipeline.
std::function<std::unique_ptr<Workload>(const Setting&)> make_pipeline(Configure configure);

// The expectations that most pipelines have.
Expectation serial(const PartTimes& parts, const Shape& shape);
Expectation serial_with_round_trips(const PartTimes& parts, const Shape& shape);
Expectation overlapped(const PartTimes& parts, const Shape& shape);

}  // namespace lapscope::workloads::streams
