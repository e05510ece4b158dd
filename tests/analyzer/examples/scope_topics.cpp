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
       "`--range NAME`: the ops whose issuing calls lie inside the range, on the thread that "
       "opened "
       "it, from their first start to their last end. They may run long after the range has ended, "
       "and what others run meanwhile is not counted. Repeated ranges of one name are judged "
       "together.",
       {{"The range s issued B and C.",
         "T aa.bc......\n"
         "R ..ssss.....\n"
         "K ..AAAAAA...\n"
         "K ....BB.CCC.",
         {{"s/ops", "2"}, {"s/window", "4 to 10"}, {"s/busy", "5"}, {"s/idle", "1"}},
         {.range = "s"}},
        {"What another thread issues meanwhile, here B, is not the range's.",
         "T a....\n"
         "R sss..\n"
         "T .b...\n"
         "K .AA..\n"
         "K ..BB.",
         {{"s/ops", "1"}, {"s/window", "1 to 3"}},
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
       "`--series N`: the scope cut into N stretches of equal length, to a ns, each judged as a "
       "window. An op across a border counts in both, with the part inside.",
       {{"11 ns in two stretches, of 5 and of 6.",
         "K AAAAAA....C\n"
         "H ...BBB.....",
         {{"series busy", "5; 2"}, {"series sum", "7; 3"}, {"series idle", "0; 4"}},
         {.series = 2}},
        {"A stretch without ops is idle, and has no ratios of work.",
         "K A.......B",
         {{"series idle", "2; 3; 2"},
          {"series overlap_ratio", "-2/1; n/a: all ops take 0 ns; -2/1"}},
         {.series = 3}}}},
      {"Iterations",
       "`--iterations NAME`, or found by themselves: an iteration lasts from the first start of "
       "the "
       "ops that it issued to the first start of the next one's, so that iterations fill the loop "
       "however much they overlap. Each is judged as a window. The first is told apart, and the "
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
  };
}

}  // namespace lapscope::test
