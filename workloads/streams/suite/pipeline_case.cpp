#include "workloads/streams/suite/pipeline_case.h"

#include <utility>

#include "workloads/streams/suite/pipeline.h"

namespace lapscope::workloads::streams {
Case pair_of(Text text, Cause cause, Expect broken, Expect fixed) {
  Case result;
  result.name = std::move(text.name);
  result.wrong = std::move(text.wrong);
  result.fix = std::move(text.fix);
  result.variants = {{.name = "broken", .causes = {cause}, .expect = broken},
                     {.name = "fixed", .causes = {}, .expect = fixed}};
  return result;
}

Case pipeline_pair(Text text, Cause cause, Expect broken, Configure configure, Expect fixed) {
  Case result = pair_of(std::move(text), cause, broken, fixed != nullptr ? fixed : overlapped);
  result.takes_usual_kernels = true;
  result.make = make_pipeline(configure);
  return result;
}

std::function<std::unique_ptr<Workload>(const Setting&)> make_pipeline(Configure configure) {
  return [configure](const Setting& setting) {
    Recipe recipe;
    configure(recipe, setting);
    return std::make_unique<Pipeline>(setting, std::move(recipe));
  };
}

Expectation serial(const PartTimes& parts, const Shape& shape) {
  return one_after_the_other(parts, shape);
}

Expectation serial_with_round_trips(const PartTimes& parts, const Shape& shape) {
  return one_after_the_other(parts, shape, parts.round_trip_us);
}

Expectation overlapped(const PartTimes& parts, const Shape& shape) {
  return pipelined(parts, shape, Recipe{}.streams);
}

}  // namespace lapscope::workloads::streams
