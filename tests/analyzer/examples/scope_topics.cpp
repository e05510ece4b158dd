#include "tests/analyzer/examples/example.h"

namespace lapscope::test {

std::vector<Topic> scope_topics() {
  return {
      {"Whole trace",
       "From the first op's start to the last op's end, a device at a time.",
       {{"The scope begins with A and ends with B.",
         "K ..AAA....\n"
         "H .....BBB.",
         {{"window", "2 to 8"}, {"ops", "2"}}}}},
      {"Window",
       "`--window FROM TO`: as given, and so it may begin and end idle. An op across its border "
       "counts "
       "with the part inside.",
       {{"3 to 8: of A and B, 2 each.",
         "K AAAAA.BBBB",
         {{"ops", "2"}, {"sum", "4"}, {"busy", "4"}, {"idle", "1"}, {"wall", "5"}},
         {.window = analyzer::Interval{3, 8}}},
        {"0 to 9: idle before and after.",
         "K ...AAA...",
         {{"idle", "6"}, {"wall", "9"}},
         {.window = analyzer::Interval{0, 9}}},
        {"3 to 6: ops that only touch a window are not in it.",
         "K AAA...BBB",
         {{"health", "no-gpu-work 0"}, {"trust", "inconclusive"}},
         {.window = analyzer::Interval{3, 6}}}}},
      {"NVTX range",
       "`--range NAME`: the ops whose issuing calls lie inside the range, from their first start "
       "to "
       "their last end. They may run long after the range has ended. What the device runs of "
       "others "
       "meanwhile is [other work](#other_work), and never idle time. Repeated ranges of one name "
       "are "
       "evaluated together.\n\n"
       "A call is inside a range if its thread has the range open. So is that of another thread of "
       "the process which has no range of the same domain open then: autograd, NCCL and thread "
       "pools "
       "issue work for whoever is in the range. Where another thread has a range of its own open, "
       "its ops are its own, unless it works for a thread that has this range open. That is shown "
       "by "
       "what the latter does while both have a range open: under `emit_nvtx` it waits for "
       "autograd's "
       "thread, beside a loader it goes on. A thread waits for another that has a range open if it "
       "neither calls CUDA nor opens or closes a range meanwhile, and if the other's ranges fill a "
       "quarter of that pause: else it computes. If it waits during 90 % of the other's ranges, "
       "they are work for it; if during no more than half of them, they are not. What lies between "
       "is not decided, nor is it for a thread that issues no work itself: such ops are left out, "
       "counted, and shown. Ops of start/end "
       "ranges are those of all threads of the process; but CUPTI does not distinguish them from "
       "push/pop "
       "ranges, so that in traces of lapscope only those that end on another thread are known as "
       "such. `--range-threads own` "
       "counts only what the thread that opened the range issued.",
       {{"The range s issued B and C.",
         "T aa.bc......\n"
         "R ..ssss.....\n"
         "K ..AAAAAA...\n"
         "K ....BB.CCC.",
         {{"s/ops", "2"},
          {"s/window", "4 to 10"},
          {"s/busy", "5"},
          {"s/other_work", "1"},
          {"s/idle", "0"}},
         {.range = "s"}},
        {"What a thread without a range of its own issues meanwhile, here B, is the range's; C, "
         "which "
         "it issues later, is not.",
         "T a.......\n"
         "R sss.....\n"
         "T .b..c...\n"
         "K .AA.....\n"
         "K ..BBB.CC",
         {{"s/ops", "2"}, {"s/window", "1 to 5"}, {"s/issued", "opener 1, helpers 1, undecided 0"}},
         {.range = "s"}},
        {"The same with `--range-threads own`.",
         "T a.......\n"
         "R sss.....\n"
         "T .b..c...\n"
         "K .AA.....\n"
         "K ..BBB.CC",
         {{"s/ops", "1"}, {"s/window", "1 to 3"}},
         {.range = "s", .own_threads = true}},
        {"All work of a thread that only waits: B and C of two threads are the range's.",
         "R ssssss..\n"
         "T .b......\n"
         "T ..c.....\n"
         "K ..BBB...\n"
         "K ...CCCC.",
         {{"s/ops", "2"}, {"s/issued", "opener 0, helpers 2, undecided 0"}},
         {.range = "s"}},
        {"A loader has its own range open, l, while the range's thread goes on: its ops are its "
         "own.",
         "T a.b.c.....\n"
         "R ssssss....\n"
         "T .xxx......\n"
         "R lllll.....\n"
         "K .AA.......\n"
         "K ....BB.CC.\n"
         "H ....XXXX..",
         {{"s/ops", "3"}, {"s/issued", "opener 3, helpers 0, undecided 0"}, {"s/other_work", "1"}},
         {.range = "s"}},
        {"Under `emit_nvtx` autograd's thread opens ranges, g, and the range's thread waits for "
         "it: "
         "its ops are the range's.",
         "T a......b......\n"
         "R ssssssssss....\n"
         "T ..x.y.........\n"
         "R ..ggg.........\n"
         "K .AA....BB.....\n"
         "K ...XX.Y.......",
         {{"s/ops", "4"}, {"s/issued", "opener 2, helpers 2, undecided 0"}},
         {.range = "s"}},
        {"A thread with a range of its own beside one that issues nothing itself: whose Y is "
         "is unknown, and it is left out. X is issued before.",
         "R sssssss...\n"
         "T x..y......\n"
         "R ..ggg.....\n"
         "K .XX.......\n"
         "K ....YY....",
         {{"s/ops", "1"}, {"s/issued", "opener 0, helpers 1, undecided 1"}},
         {.range = "s"}},
        {"Two ranges s are one scope, with the idle time between them.",
         "T a......b...\n"
         "R s......s...\n"
         "K .AA.....BB.",
         {{"s/instances", "2"}, {"s/ops", "2"}, {"s/wall", "9"}, {"s/idle", "5"}},
         {.range = "s"}}}},
      {"Profiler bracket",
       "`--profiler-brackets`: the ops that the process issued, on any thread, between the return "
       "of "
       "cudaProfilerStart (drawn <) and the call of cudaProfilerStop (drawn >).",
       {{"B was issued in between.",
         "T a<b>c......\n"
         "K .AA..BB.CC.",
         {{"bracket/ops", "1"}, {"bracket/window", "5 to 7"}},
         {.profiler = true}}}},
      {"Series",
       "`--series N`: the scope cut into N intervals of equal length, to a ns, each evaluated as a "
       "window. An op across a border counts in both, with the part inside.",
       {{"11 ns in two intervals, of 5 and of 6.",
         "K AAAAAA....C\n"
         "H ...BBB.....",
         {{"series busy", "5; 2"}, {"series sum", "7; 3"}, {"series idle", "0; 4"}},
         {.series = 2}},
        {"An interval without ops is idle, and has no ratios of work.",
         "K A.......B",
         {{"series idle", "2; 3; 2"},
          {"series overlap_ratio", "-2/1; n/a: all ops take 0 ns; -2/1"}},
         {.series = 3}}}},
      {"Iterations",
       "`--iterations NAME`, or found by themselves: an iteration lasts from the first start of "
       "the "
       "ops that it issued to the first start of the next one's, so that iterations fill the loop "
       "however much they overlap. Each is evaluated as a window. The first is kept apart, and the "
       "last, "
       "which nothing bounds, is left out of the medians.",
       {{"Five ranges s; the first is slow. The others take 4, 4 and 4 from start to start.",
         "T a......b...c...d...e....\n"
         "R s......s...s...s...s....\n"
         "K .AAAAA..BB..CC..DD..EE..",
         {{"iterations", "5 by NVTX range 's'"},
          {"first wall", "7"},
          {"median wall", "4"},
          {"median idle", "2"}},
         {.iterations = "s"}}}},
      {"Steady state",
       "What is evaluated when nothing is named (`--whole`: all of it). It is the first of these "
       "that "
       "the trace has, one for all devices:\n\n"
       "1. What is issued between cudaProfilerStart and cudaProfilerStop.\n"
       "2. The loop, if what any thread issues from its first iteration to its last is half of all "
       "ops or more. Iterations are those above. The first ones are left out while they take more "
       "than twice the median: code is loaded and memory allocated in them. A loop that "
       "`--iterations` names is taken in any case.\n"
       "3. The NVTX ranges of the default domain that lie in no other, names compared without "
       "digits: those of one name that hold half of the GPU work that such ranges hold or more, "
       "and a tenth of all.\n"
       "4. The same of other domains, which libraries have, if they hold half of all GPU work and "
       "are closed.\n\n"
       "Else the whole is evaluated. GPU work is shown by the durations of ops. What was before "
       "the "
       "steady state, from the first call or op on, and after it, is summed up: how long, and for "
       "how long threads were in which calls.",
       {{"What is bracketed comes first.",
         "T a<b>c.d.e.f.\n"
         "R ......s.s.s.\n"
         "K .AA.BB.CDEF.",
         {{"steady", "cudaProfilerStart/Stop"}, {"steady/ops", "1"}},
         {.steady = true}},
        {"A loop of five ranges s, the first of which is warm-up. What is issued between them "
         "is of it, too; X is set-up.",
         "T x.a........b...cy..d...e....\n"
         "R ..s........s...s...s...s....\n"
         "K .X.AAAAAA...BB..CCY.DD..EE..",
         {{"steady", "iterations of NVTX range 's'"},
          {"steady/ops", "5"},
          {"steady/window", "12 to 26"},
          {"before", "12, launch-overhead 3"}},
         {.steady = true}},
        {"The range m holds most of what ranges hold; l, which is another's, holds less.",
         "T a..b...cd....\n"
         "R ...l...mm....\n"
         "K .AA.B...CCDD.",
         {{"steady", "NVTX range 'm'"}, {"steady/ops", "2"}},
         {.steady = true}},
        {"Stages that follow each other: none is what the program is for.",
         "T a..b..c..\n"
         "R l..m..n..\n"
         "K .AA.BB.CC",
         {{"steady", "the whole"}},
         {.steady = true}}}},
  };
}

}  // namespace lapscope::test
