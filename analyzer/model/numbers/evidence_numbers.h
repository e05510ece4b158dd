#pragma once

#include "analyzer/model/numbers/assumption.h"

// How much evidence a trace must have before a conclusion is drawn from it.
namespace lapscope::analyzer::assumed {

inline constexpr Count enough_examples(
    3, count, "enough_examples",
    "Least number of examples for a conclusion. A median needs this many values. A call recurs if "
    "it occurs in this many rounds of GPU work. An NVTX range or op sequence is a loop if it "
    "repeats this often after its first iteration. The first iteration may be warm-up. A line that "
    "launches elementwise kernels of this many shapes in a row loops over tensors. The test "
    "whether threads take turns needs this many expected overlaps of their calls. If this many "
    "samples of a thread are due between two calls, only samples of this place split its time "
    "among functions",
    "chosen: of 3 examples, one may be an outlier. If 3 overlaps or samples are expected by "
    "chance, none occurs in 1 of 20 cases. A formula has kernels of one or two shapes");
inline constexpr Real majority(
    0.5, share, "majority",
    "A part represents the whole if it has more than this share of ops, work, time or runs. For "
    "example, a loop needs this share of the ops. If the model check is off by a larger share of "
    "the time, no saving is shown as text",
    "chosen: two parts cannot both have more than half. If the model check is off by more, a "
    "predicted time is half or twice the true time");
inline constexpr Real hardly_any(
    0.1, share, "hardly_any",
    "A share up to this is an exception or a by-product. A kernel or copy ran alone if others "
    "overlapped at most this share of its time. An engine runs one copy at a time if its copies "
    "overlap for at most this share. Threads take turns if at most this share of the overlaps "
    "expected by chance occurs. A thread works for another thread that waits in all but this share "
    "of its ranges. An NVTX range with a smaller share of the GPU work is not the steady state. A "
    "round of ops that copies out a smaller share of its input keeps results on the device. "
    "lapscope tries pairs of fixes if each single fix saves less. Failed calls, and collectives "
    "without a counterpart on other ranks, count only above this share. Clocks decide how long a "
    "thread waited if it was ready to run for at most this share of its time off the processor",
    "chosen: calls of independent threads overlap as often as by chance. Calls of a training loop "
    "and of its backward pass never overlap. A sum or a loss is a thousandth of its input. "
    "Filtered or encoded data are more than a tenth of their input");
inline constexpr Long uneven(
    2, times, "uneven",
    "An iteration at the beginning is warm-up if it takes longer than this many times the median. "
    "A round of calls is set-up if it takes longer than this many times the third longest round. A "
    "time between collectives can be a pause between steps if it exceeds this many times the "
    "median. The factor that fits recording costs to bare runs lies between this number and its "
    "inverse",
    "chosen: warm-up and set-up load code and allocate memory, which takes many times as long");
inline constexpr Real large_part(
    0.2, share, "large_part",
    "A share of a time that is large enough for advice. A copy that runs alone for this share of "
    "the time is worth tiles. A program that waits for the host for this share of the time is "
    "limited by the host. A CUDA graph is worthwhile if launches take more than this share of the "
    "durations of their ops. A finding of two fixes together must save this share. If recording "
    "may add more, lapscope leaves open findings that recording may cause. Launches of a kernel "
    "are alike if the middle half of their durations differs by at most this",
    "chosen: a pipeline of two tiles hides half of the copy, which is three times least_saving. "
    "The demands of a chain of multiply-adds (docs/hardware.md) differ by a fifth at most. These "
    "demands were fitted to two, four and eight kernels at once");
inline constexpr Real most_unaccounted(
    0.1, share, "most_unaccounted",
    "Largest error, as a share of the time, at which results are valid. The verdict is "
    "inconclusive if the replay is off by more, or if more time is unexplained. It is also "
    "inconclusive if a sample differs more from the whole. If the model check is off by more, "
    "predictions get a warning. If the correction is off by more, lapscope leaves open findings "
    "that recording may cause",
    "chosen: nearly all predictions for the groups suite and pairs of research/what-if-accuracy.md "
    "are off by less",
    h200, "most_replay_error of a gate");
inline constexpr Real bound_engine(
    0.85, share, "bound_engine",
    "An engine that is busy for this share of the time bounds the program. Issuing work "
    "differently does not help",
    "pipelines of tests/traces with the most overlap keep the engine busy for 81 to 87 %. Nothing "
    "overlaps with the first copy in and with the last copy out",
    "H200: tests/gpu/stream_suite.sh, 2026-11-21");
inline constexpr Long most_of_a_value(
    1024, bytes, "most_of_a_value",
    "A copy to the host of at most this size carries a value: a count, a flag or a loss. A thread "
    "that waits for the copy reads the value",
    "chosen: frameworks copy 1 to 8 bytes for each value. Tiles of recorded pairs have 0.4 MB and "
    "more");
inline constexpr Real chance(
    0.05, share, "chance",
    "A difference between two sets of runs is a change if its p-value is at most this. The p-value "
    "is the probability that noise alone makes a difference this large",
    "a convention of statistics");

inline constexpr Count streams_for_one(
    4, count, "streams_for_one", "number of streams that replace one stream",
    "chosen: three tiles are in a copy in, a kernel and a copy out, and one tile waits", "",
    "whatif --fix stream-order:N");
inline constexpr Count buffers_for_copies(
    2, count, "buffers_for_copies",
    "number of buffers used in turn if only copies in one direction get their own stream",
    "chosen: one buffer is copied while kernels use the other");
inline constexpr const Assumption* evidence[] = {
    &enough_examples, &majority,         &hardly_any,        &uneven,
    &large_part,      &most_unaccounted, &bound_engine,      &most_of_a_value,
    &chance,          &streams_for_one,  &buffers_for_copies};

}  // namespace lapscope::analyzer::assumed
