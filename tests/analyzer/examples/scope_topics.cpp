#include "tests/analyzer/examples/example.h"

namespace lapscope::test {

std::vector<Topic> scope_topics() {
  return {
      {"Whole trace",
       "On each device, this scope lasts from the earliest start of an op to the latest end of an "
       "op.",
       {{"The scope begins with A and ends with B.",
         "K ..AAA....\n"
         "H .....BBB.",
         {{"window", "2 to 8"}, {"ops", "2"}}}}},
      {"Window",
       "`--window FROM TO`: the scope lasts exactly from FROM to TO, even if the device is idle at "
       "these times. If an op crosses a border, only the part inside the scope counts.",
       {{"The window 3 to 8: 2 ns of A and 2 ns of B lie inside.",
         "K AAAAA.BBBB",
         {{"ops", "2"}, {"sum", "4"}, {"busy", "4"}, {"idle", "1"}, {"wall", "5"}},
         {.window = analyzer::Interval{3, 8}}},
        {"The window 0 to 9: the device is idle before and after A.",
         "K ...AAA...",
         {{"idle", "6"}, {"wall", "9"}},
         {.window = analyzer::Interval{0, 9}}},
        {"The window 3 to 6: A and B only touch it, so they are not in it.",
         "K AAA...BBB",
         {{"health", "no-gpu-work 0"}, {"trust", "inconclusive"}},
         {.window = analyzer::Interval{3, 6}}}}},
      {"NVTX range",
       "`--range NAME`: the scope has the ops that were issued by calls inside the range. The "
       "scope lasts from the earliest start of these ops to their latest end. The ops may run long "
       "after the range has ended. Time in which the device runs only ops outside the scope is "
       "[other work](#other_work), not idle time. All ranges with the same name are evaluated "
       "together.\n\nA call is inside a range if the thread of the call has the range open. A call "
       "of another thread of the process is inside the range, too, if two conditions hold: the "
       "range is open during the call, and the calling thread has no range of the same domain "
       "open. In autograd, NCCL and thread pools, such threads issue work for the thread that "
       "opened the range.\n\nOne thread (the *opener*) opens a range s. While s is open, another "
       "thread may open a range r and issue ops inside r. These ops belong only to r, unless the "
       "other thread is a *helper*: a thread that works for the opener. Under `emit_nvtx`, "
       "autograd's thread is a helper, because the opener waits for it. A thread that loads data "
       "is not a helper, because the opener does other work at the same time.\n\nThe opener is "
       "assumed to wait during r if two conditions hold. First, the opener neither calls CUDA nor "
       "opens or closes a range while r is open. So r lies in a pause of the opener, between two "
       "such actions. Second, ranges of the other thread fill at least a fifth of this pause. "
       "Otherwise, the opener is assumed to compute.\n\nIf the opener waits during at least 90 % "
       "of the other thread's ranges, the other thread is a helper. If the opener waits during at "
       "most half of these ranges, the other thread is not a helper. lapscope cannot decide if the "
       "share lies between half and 90 %, or if the opener issues no work itself. In both cases, "
       "the scope does not include the ops that the other thread issued inside its own ranges. The "
       "result shows the number of these ops as `undecided`.\n\nA start/end range belongs to the "
       "whole process: its scope has the ops that all threads of the process issued while the "
       "range was open. CUPTI does not distinguish start/end ranges from push/pop ranges. In "
       "traces of lapscope, a range is therefore known to be a start/end range only if one thread "
       "began it and another thread ended it.\n\nWith `--range-threads own`, the scope has only "
       "the ops that the opener itself issued.",
       {{"B and C were issued inside the range s. A was issued before it.",
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
        {"The second thread has no range of its own. It issues B while the range s is open, so B "
         "belongs to s. It issues C later, so C does not.",
         "T a.......\n"
         "R sss.....\n"
         "T .b..c...\n"
         "K .AA.....\n"
         "K ..BBB.CC",
         {{"s/ops", "2"}, {"s/window", "1 to 5"}, {"s/issued", "opener 1, helpers 1, undecided 0"}},
         {.range = "s"}},
        {"The same trace with `--range-threads own`: B does not belong to s.",
         "T a.......\n"
         "R sss.....\n"
         "T .b..c...\n"
         "K .AA.....\n"
         "K ..BBB.CC",
         {{"s/ops", "1"}, {"s/window", "1 to 3"}},
         {.range = "s", .own_threads = true}},
        {"The thread that opened s issues nothing. B and C, issued by two other threads, belong to "
         "s.",
         "R ssssss..\n"
         "T .b......\n"
         "T ..c.....\n"
         "K ..BBB...\n"
         "K ...CCCC.",
         {{"s/ops", "2"}, {"s/issued", "opener 0, helpers 2, undecided 0"}},
         {.range = "s"}},
        {"The second thread loads data. It issues X inside its own range l. The first thread "
         "issues work while l is open, so the second thread is not a helper. X therefore does not "
         "belong to s.",
         "T a.b.c.....\n"
         "R ssssss....\n"
         "T .xxx......\n"
         "R lllll.....\n"
         "K .AA.......\n"
         "K ....BB.CC.\n"
         "H ....XXXX..",
         {{"s/ops", "3"}, {"s/issued", "opener 3, helpers 0, undecided 0"}, {"s/other_work", "1"}},
         {.range = "s"}},
        {"Under `emit_nvtx`, autograd's thread opens the range g. Meanwhile the first thread "
         "waits, so X and Y belong to s.",
         "T a......b......\n"
         "R ssssssssss....\n"
         "T ..x.y.........\n"
         "R ..ggg.........\n"
         "K .AA....BB.....\n"
         "K ...XX.Y.......",
         {{"s/ops", "4"}, {"s/issued", "opener 2, helpers 2, undecided 0"}},
         {.range = "s"}},
        {"The thread that opened s issues nothing, and the second thread issues Y inside its own "
         "range g. Whether Y belongs to s is undecided, so Y is left out. X is issued before g and "
         "belongs to s.",
         "R sssssss...\n"
         "T x..y......\n"
         "R ..ggg.....\n"
         "K .XX.......\n"
         "K ....YY....",
         {{"s/ops", "1"}, {"s/issued", "opener 0, helpers 1, undecided 1"}},
         {.range = "s"}},
        {"The two ranges named s form one scope. The idle time between them is part of the scope.",
         "T a......b...\n"
         "R s......s...\n"
         "K .AA.....BB.",
         {{"s/instances", "2"}, {"s/ops", "2"}, {"s/wall", "9"}, {"s/idle", "5"}},
         {.range = "s"}}}},
      {"Profiler bracket",
       "`--profiler-brackets`: the scope has the ops that any thread of the process issued after "
       "cudaProfilerStart returned (drawn <) and before cudaProfilerStop was called (drawn >).",
       {{"Only B was issued between the two calls.",
         "T a<b>c......\n"
         "K .AA..BB.CC.",
         {{"bracket/ops", "1"}, {"bracket/window", "5 to 7"}},
         {.profiler = true}}}},
      {"Series",
       "`--series N`: the scope is cut into N intervals, whose lengths differ by 1 ns at most. "
       "Each interval is evaluated as a window. If an op crosses the border between two intervals, "
       "each interval counts the part of the op that is inside it. Below a picture, a semicolon "
       "separates the intervals.",
       {{"A scope of 11 ns is cut into intervals of 5 ns and 6 ns.",
         "K AAAAAA....C\n"
         "H ...BBB.....",
         {{"series busy", "5; 2"}, {"series sum", "7; 3"}, {"series idle", "0; 4"}},
         {.series = 2}},
        {"A scope of 9 ns is cut into three intervals of 3 ns. The second interval has no ops. It "
         "is idle, and its overlap_ratio is not defined. In each of the other two intervals, one "
         "op takes 1 ns, so overlap_ratio is 1 - 3/1.",
         "K A.......B",
         {{"series idle", "2; 3; 2"},
          {"series overlap_ratio", "-2/1; n/a: all ops take 0 ns; -2/1"}},
         {.series = 3}}}},
      {"Iterations",
       "With `--iterations NAME`, each NVTX range of this name is an iteration. A range inside "
       "another one of this name is part of that iteration. Without the option, lapscope looks "
       "for a loop. An iteration begins when the first of its ops starts. "
       "It ends when the first op of the next iteration starts. Iterations therefore follow each "
       "other without a pause. They do not overlap, although the ops of two iterations may "
       "overlap. Each iteration is evaluated as a window. The first iteration is shown separately. "
       "The last iteration ends with its last op. It is left out of the medians, because no next "
       "iteration ends it.",
       {{"Five ranges have the name s. The first iteration takes 7 µs. The next three take 4 µs "
         "each. The fifth is left out of the medians, because no next iteration ends it.",
         "T a......b...c...d...e....\n"
         "R s......s...s...s...s....\n"
         "K .AAAAA..BB..CC..DD..EE..",
         {{"iterations", "5 by NVTX range 's'"},
          {"first wall", "7"},
          {"median wall", "4"},
          {"median idle", "2"}},
         {.iterations = "s"}}}},
      {"Steady state",
       "The steady state is the default scope, used if no option names another one. `--whole` "
       "selects the whole trace instead. The steady state is the first entry of this list that the "
       "trace has. The same entry is used for all devices.\n\n1. The work issued between "
       "cudaProfilerStart and cudaProfilerStop, if there is any.\n2. The [iterations](#iterations) "
       "of a loop, without its warm-up. From the end of the warm-up to the end of the loop, all "
       "threads together must issue at least half of all ops of the trace. If `--iterations` "
       "selects the loop, this condition does not apply. The warm-up ends where the first "
       "iteration begins that takes at most twice the median time of all iterations. This median "
       "includes the last iteration. For an even number of iterations, the longer one of the two "
       "middle times is the median. During warm-up, code is loaded and memory is allocated.\n3. "
       "The outermost NVTX ranges of one name in the default domain. Names that differ only in "
       "digits are one name. A name is excluded if any of its ranges lies in a range of another "
       "name. Of the other names, the name with the most GPU work is used. Its ranges must hold at "
       "least half of the GPU work of all these names, and at least a tenth of all GPU work.\n4. "
       "The outermost NVTX ranges of one name in other domains, which libraries use. These ranges "
       "must hold at least half of all GPU work. Ranges that were never closed are ignored.\n\nIf "
       "the trace has none of the four, the whole trace is evaluated. The GPU work of ranges is "
       "the sum of the durations of their ops.\n\nThe result also describes the time before the "
       "steady state, from the first call or op on, and the time after the steady state. For each "
       "of the two, it shows the length, and the time that threads spent in each kind of call.",
       {{"The steady state is the profiler bracket, although the three NVTX ranges named s also "
         "contain work.",
         "T a<b>c.d.e.f.\n"
         "R ......s.s.s.\n"
         "K .AA.BB.CDEF.",
         {{"steady", "cudaProfilerStart/Stop"}, {"steady/ops", "1"}},
         {.steady = true}},
        {"Five ranges s form a loop. The first range is warm-up. Y is issued between two ranges "
         "and belongs to the loop. X is issued before the loop and does not belong to it. The time "
         "before the steady state (`before`) is 12 µs long. Launches take 3 µs of this time.",
         "T x.a........b...cy..d...e....\n"
         "R ..s........s...s...s...s....\n"
         "K .X.AAAAAA...BB..CCY.DD..EE..",
         {{"steady", "iterations of NVTX range 's'"},
          {"steady/ops", "5"},
          {"steady/window", "12 to 26"},
          {"before", "12, launch-overhead 3"}},
         {.steady = true}},
        {"The range m holds more than half of the GPU work inside ranges. The range l holds less "
         "than half.",
         "T a..b...cd....\n"
         "R ...l...mm....\n"
         "K .AA.B...CCDD.",
         {{"steady", "NVTX range 'm'"}, {"steady/ops", "2"}},
         {.steady = true}},
        {"Three ranges with different names follow each other. None of them holds half of the GPU "
         "work.",
         "T a..b..c..\n"
         "R l..m..n..\n"
         "K .AA.BB.CC",
         {{"steady", "the whole"}},
         {.steady = true}}}},
  };
}

}  // namespace lapscope::test
