#include "tests/analyzer/examples/example.h"

namespace lapscope::test {

std::vector<Topic> edge_topics() {
  return {
      {"Touching ops",
       "An op takes [start, end): its end is the first instant without it. Touching ops neither "
       "overlap nor leave a gap.",
       {{"",
         "K AABB..\n"
         "H ....CC",
         {{"idle", "0"}, {"overlap_ratio", "0/6"}, {"kernel_overlap", "0/4"}}}}},
      {"Ops of 0 ns",
       "An op of 0 ns, drawn as a bar, widens the scope and is counted, and adds nothing else; it "
       "does not end a gap. On the border of two windows it is in the later one.",
       {{"At 5.", "K AA...|", {{"ops", "2"}, {"wall", "5"}, {"sum", "2"}, {"idle", "3"}}},
        {"At 3, in the middle of the pause: the pause stays one.",
         "T ab......\n"
         "K .AA.|..B",
         {{"ops", "3"}, {"idle", "3"}, {"gaps", "stream-order 3"}}},
        {"A trace of nothing else has no ratios.",
         "K ..|",
         {{"wall", "0"}, {"overlap_ratio", "n/a: all ops take 0 ns"}}},
        {"0 to 3: the op at 3 is not in it.",
         "K AAA|BB",
         {{"ops", "1"}},
         {.window = analyzer::Interval{0, 3}}}}},
      {"Identical starts",
       "Figures do not depend on the order of rows. Where something must come first, the order is "
       "by "
       "start, end and stream, and then by whatever else distinguishes ops.",
       {{"",
         "H AAA\n"
         "K BB.\n"
         "K CC.",
         {{"states", "h2d 1, compute+h2d 2"}, {"kernel_concurrency", "4/2"}}}}},
      {"Ops across a border",
       "Clipped: of a window or an interval of a series an op has the part inside.",
       {{"2 to 5.",
         "K AAAAAAA\n"
         "H BBB....",
         {{"sum", "4"}, {"copy_hidden", "1/1"}, {"idle", "0"}},
         {.window = analyzer::Interval{2, 5}}}}},
      {"Tiny overlaps in one stream",
       "Ops of one stream follow each other, but the clocks of host and device are fitted to each "
       "other, and a fit may be off by some ns. Such an overlap is counted as it stands, and shown "
       "as "
       "the stream's self_overlap.",
       {{"Both ops are of stream 1.",
         "K1 AAAA....\n"
         "K1 ...BBBBB",
         {{"stream 1", "busy 8, ops 2, self_overlap 1"}, {"kernel_overlap", "1/8"}}}}},
      {"Programmatic dependent launch",
       "A kernel may begin before the one that it depends on, in the same stream, has ended. That "
       "is "
       "overlap as any other.",
       {{"B was launched to begin before A has ended.",
         "K1 AAAAAA....\n"
         "K1 ....BBBBBB",
         {{"kernel_overlap", "2/10"},
          {"kernel_concurrency", "12/10"},
          {"stream 1", "busy 10, ops 2, self_overlap 2"}}}}},
      {"Graph launches",
       "The nodes of a CUDA graph are ops, and all of one launch have the same issuing call: a "
       "range "
       "around the launch has them all. Branches overlap within the stream of the launch, or are "
       "in "
       "the driver's own.",
       {{"One call, four ops.",
         "T gg..........\n"
         "R ssss........\n"
         "K1 ..GG....GG..\n"
         "K1 ...GGGG.....\n"
         "H ....GG......",
         {{"s/ops", "4"},
          {"s/idle", "1"},
          {"gaps", "graph-edge 1"},
          {"stream 1", "busy 7, ops 3, self_overlap 1"}},
         {.range = "s"}}}},
      {"Device-launched work",
       "What a kernel launched has no call of the host. It counts in every figure; a gap before it "
       "is shown by other ops alone, and no range has it.",
       {{"A launched B.",
         "T a.......\n"
         "R ss......\n"
         "K .AA..BB.",
         {{"busy", "4"}, {"gaps", "stream-order 2"}, {"s/ops", "1"}, {"health", "unissued-ops 1"}},
         {.range = "s"}}}},
      {"Memsets",
       "Work of the compute engine: a memset hides copies, and copies do not wait for it.",
       {{"",
         "M AAAA\n"
         "H ..BBB",
         {{"copy_hidden", "2/3"}, {"kernel_concurrency", "n/a: no kernels"}}}}},
      {"Copies on the compute engine",
       "The hardware channel decides. A copy within the device, and a small copy of pageable "
       "memory, "
       "can run on a compute channel: then it competes with kernels, and is no copy for "
       "`copy_hidden`. "
       "Where the channel is not known, a copy within the device counts as compute.",
       {{"A copy within the device, and one to the device on a compute channel.",
         "C AAAA..\n"
         "V ...BBB\n"
         "K ..CC..",
         {{"engine compute", "busy 6, ops 3"},
          {"copy_hidden", "n/a: no copies on copy engines"}}}}},
      {"Managed memory",
       "A migration is no op: no stream runs it, and no call issued it. It is in no engine and no "
       "figure, and counted. What it costs is in the kernel that waits for the page.",
       {{"U migrates under A.",
         "U .MMM..\n"
         "K AAAAAA",
         {{"ops", "1"}, {"busy", "6"}, {"health", "managed-migrations 1"}}}}},
      {"Lost times",
       "An op without times, or with impossible ones, drawn as !, is excluded from every figure "
       "and "
       "counted. The result is inconclusive.",
       {{"",
         "K AA!.BB",
         {{"ops", "2"},
          {"sum", "4"},
          {"health", "invalid-timestamps 1"},
          {"trust", "inconclusive"}}}}},
      {"Unfinished ops",
       "An op that was running when the recording ended has a start and no end, drawn as >. It is "
       "excluded and counted; what is left of the trace is right.",
       {{"",
         "K AA..BB>",
         {{"ops", "1"}, {"wall", "2"}, {"health", "unfinished-ops 1"}, {"trust", "sound"}}}}},
  };
}

}  // namespace lapscope::test
