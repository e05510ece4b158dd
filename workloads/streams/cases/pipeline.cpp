// Cases about the number of streams and buffers of a pipeline.

#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/pipeline_case.h"

namespace lapscope::workloads::streams {
namespace {

constexpr double short_kernel_us = 15;
constexpr std::size_t elements_of_a_result = 1024;

Case streams() {
  Case result = pipeline_pair(
      {.name = "pipeline",
       .wrong = "All tiles go through one stream, which runs its work in order.",
       .fix = "Give each tile in flight a device buffer and a stream of its own; or, as the fixed "
              "variant has it, each engine a stream, joined by events: then the copy engines need "
              "not change streams."},
      Cause::stream_order, serial, [](Recipe& recipe, const Setting& setting) {
        recipe.marks = true;
        recipe.stream_per_engine = setting.variant == "fixed";
        if (setting.broken()) recipe.streams = 1;
      });
  result.variants.insert(result.variants.end() - 1,
                         {.name = "stream-per-buffer", .causes = {}, .expect = overlapped});
  return result;
}

Expectation with_two_buffers(const PartTimes& parts, const Shape& shape) {
  return pipelined(parts, shape, 2);
}

Expectation with_three_buffers(const PartTimes& parts, const Shape& shape) {
  return pipelined(parts, shape, 3);
}

Case depth() {
  Case result = pipeline_pair(
      {.name = "buffer-depth",
       .wrong = "Two buffers for three engines: a tile waits for the one before the last to leave.",
       .fix = "Take as many buffers as there are engines, and one more to absorb uneven tiles."},
      Cause::stream_order, with_two_buffers, [](Recipe& recipe, const Setting& setting) {
        if (setting.broken()) recipe.streams = 2;
        if (setting.variant == "triple") recipe.streams = 3;
      });
  result.variants.insert(result.variants.end() - 1,
                         {.name = "triple", .causes = {}, .expect = with_three_buffers});
  return result;
}

Case control() {
  return {.name = "control",
          .wrong = "Nothing is wrong: the busiest engine never waits.",
          .fix = "There is nothing to fix.",
          .variants = {{.name = "control", .causes = {}, .expect = overlapped}},
          .make = make_pipeline([](Recipe&, const Setting&) {})};
}

// The copy out has only a few KiB, so its time is ignored.
Expectation bound_by_copies_in(const PartTimes& parts, const Shape& shape) {
  return {shape.tiles * parts.h2d_us + parts.kernel_us,
          shape.tiles * (parts.h2d_us + parts.kernel_us)};
}

Case transfer_bound() {
  return {.name = "transfer-bound",
          .wrong = "Nothing is wrong: the copies in never pause, and everything else is short.",
          .fix = "No stream makes this faster; only fewer bytes do.",
          .variants = {{.name = "control", .causes = {}, .expect = bound_by_copies_in}},
          .make = make_pipeline(
              [](Recipe& recipe, const Setting&) { recipe.elements_out = elements_of_a_result; }),
          .kernel_us = short_kernel_us};
}

}  // namespace

std::vector<Case> pipeline_cases() { return {streams(), depth(), control(), transfer_bound()}; }

}  // namespace lapscope::workloads::streams
