#pragma once

#include "analyzer/model/numbers/assumption.h"

// How much evidence a trace must have before a conclusion is drawn from it.
namespace lapscope::analyzer::assumed {

inline constexpr Count enough_examples(
    3, count, "enough_examples",
    "so many of a kind show something: their median stands for it, a call that is made so often "
    "with work in between recurs, and a range or a sequence of ops that comes so often after a "
    "first time, which may be warm-up, is a loop; "
    "where fewer calls would coincide by chance, that none does shows nothing",
    "chosen: the least of which one may be odd; of 3 expected by chance none is seen once in 20 "
    "cases");
inline constexpr Real majority(
    0.5, share, "majority",
    "what holds more of the ops, work, time or runs than this is what they are about",
    "chosen: no two things can");
inline constexpr Real hardly_any(
    0.1, share, "hardly_any",
    "of what it is a part of: no more is an exception or a by-product, and says nothing of the "
    "rest. A kernel or copy is alone that has others beside it for no more of its time; launches "
    "block, threads take turns, and ranges are another thread's work if no more of them are not "
    "so; an NVTX range with less work is not what a program is for; copies that bring no more out "
    "than this of what came in leave their results on the device",
    "chosen: threads that do not heed each other meet as often as by chance, a training loop and "
    "its backward pass never; a sum or a loss is a thousandth of what it is made from, and what is "
    "filtered or coded more than a tenth");
inline constexpr Long uneven(
    2, times, "uneven",
    "an iteration, or a round of calls, that takes longer than so many times what others take is "
    "no part of the loop: it is warm-up, or set-up",
    "chosen: code is loaded and memory allocated in them, which takes many times as long");
inline constexpr Real large_part(
    0.2, share, "large_part",
    "of a time: a copy that runs alone for as long is worth tiles, and a wait for the host of this "
    "length is what a program is about; launches that take as much of their ops are worth a graph; "
    "recording that may add more leaves open what changes with it; kernels of which the middle "
    "half differ by more do not do the same",
    "chosen: a pipeline of two tiles hides half of it, three times the least_saving; chains of "
    "multiply-adds (docs/hardware.md) fitted to two, four and eight at once differ by a fifth at "
    "most");
inline constexpr Real most_unaccounted(
    0.1, share, "most_unaccounted",
    "of the time: where a replay or a correction is off by more, or more is unexplained, what is "
    "found means little and the verdict is inconclusive",
    "chosen: the worst prediction of a recorded pair is off by less (research/what-if-accuracy.md)",
    h200, "most_replay_error of a gate");
inline constexpr Real bound_engine(
    0.85, share, "bound_engine",
    "an engine that is busy for this part of the time bounds the program, however work is issued",
    "pipelines of tests/traces that overlap all they can keep it busy for 81 to 87 %: the first "
    "tile's way in and the last one's way out have nothing beside them",
    "H200: tests/gpu/stream_suite.sh, 2026-11-21");
inline constexpr Long most_of_a_value(
    1024, bytes, "most_of_a_value",
    "a copy to the host of no more is of a value that the host reads if it waits for it: a count, "
    "a flag, a loss",
    "chosen: frameworks copy 1 to 8 bytes for each such value; tiles of recorded pairs are 0.4 MB "
    "and more");
inline constexpr Real chance(
    0.05, share, "chance",
    "a difference between two sets of runs that noise makes as often is no change",
    "a convention of statistics");

// The sizes of changes that fixes make.

inline constexpr Count streams_for_one(
    4, count, "streams_for_one", "streams that one stream becomes",
    "chosen: a copy in, a kernel and a copy out of three tiles at once, and one tile that waits",
    "", "whatif --fix stream-order:N");
inline constexpr Count buffers_for_copies(
    2, count, "buffers_for_copies",
    "buffers in turn where only the copies one way get a stream of their own",
    "chosen: one is copied while kernels use the other");
inline constexpr const Assumption* evidence[] = {
    &enough_examples, &majority,         &hardly_any,        &uneven,
    &large_part,      &most_unaccounted, &bound_engine,      &most_of_a_value,
    &chance,          &streams_for_one,  &buffers_for_copies};

}  // namespace lapscope::analyzer::assumed
