#include "tests/analyzer/examples/example.h"

namespace lapscope::test {

std::vector<Topic> edge_topics() {
  return {
      {"Touching ops",
       "An op occupies the half-open interval [start, end). If an op starts when another op ends, "
       "the two ops do not overlap, and there is no gap between them.",
       {{"",
         "K AABB..\n"
         "H ....CC",
         {{"idle", "0"}, {"overlap_ratio", "0/6"}, {"kernel_overlap", "0/4"}}}}},
      {"Ops of 0 ns",
       "An op of 0 ns is drawn as a bar. It counts as an op and can make the scope longer, but "
       "changes no other figure. It does not end a gap. If it lies on the border of two windows, "
       "it is in the later window.",
       {{"The op of 0 ns is at 5.",
         "K AA...|",
         {{"ops", "2"}, {"wall", "5"}, {"sum", "2"}, {"idle", "3"}}},
        {"The op of 0 ns is at 3, in the middle of a gap. The gap is not divided.",
         "T ab......\n"
         "K .AA.|..B",
         {{"ops", "3"}, {"idle", "3"}, {"gaps", "stream-order 3"}}},
        {"If all ops take 0 ns, ratios are not defined.",
         "K ..|",
         {{"wall", "0"}, {"overlap_ratio", "n/a: all ops take 0 ns"}}},
        {"The window is 0 to 3. The op at 3 is not in it.",
         "K AAA|BB",
         {{"ops", "1"}},
         {.window = analyzer::Interval{0, 3}}}}},
      {"Identical starts",
       "Figures do not depend on the order of rows in the trace. Ops are sorted by start. Ops with "
       "the same start are sorted by end, then by stream, then by all other columns in which they "
       "differ.",
       {{"",
         "H AAA\n"
         "K BB.\n"
         "K CC.",
         {{"states", "h2d 1, compute+h2d 2"}, {"kernel_concurrency", "4/2"}}}}},
      {"Ops across a border",
       "Ops are clipped: in a window or an interval of a series, only the part of an op that lies "
       "inside counts.",
       {{"The window is 2 to 5.",
         "K AAAAAAA\n"
         "H BBB....",
         {{"sum", "4"}, {"copy_hidden", "1/1"}, {"idle", "0"}},
         {.window = analyzer::Interval{2, 5}}}}},
      {"Tiny overlaps in one stream",
       "Ops of one stream run one after the other. Their times in the trace may nevertheless "
       "overlap by some ns: times of the device are converted to the clock of the host, with a "
       "small error. Such an overlap is not corrected and counts like any other overlap. The "
       "figure self_overlap of the stream shows it.",
       {{"Both ops are in stream 1.",
         "K1 AAAA....\n"
         "K1 ...BBBBB",
         {{"stream 1", "busy 8, ops 2, self_overlap 1"}, {"kernel_overlap", "1/8"}}}}},
      {"Programmatic dependent launch",
       "A kernel with the attribute for programmatic dependent launch depends on the previous "
       "kernel of its stream, but may begin before that kernel has ended. The overlap of the two "
       "kernels counts like any other overlap.",
       {{"B was launched with the attribute that lets it begin before A has ended.",
         "K1 AAAAAA....\n"
         "K1 ....BBBBBB",
         {{"kernel_overlap", "2/10"},
          {"kernel_concurrency", "12/10"},
          {"stream 1", "busy 10, ops 2, self_overlap 2"}}}}},
      {"Graph launches",
       "The nodes of a CUDA graph are ops. All ops of one launch have the same issuing call, so a "
       "range around this call has all of these ops. Branches of the graph run either in the "
       "stream of the launch or in streams that the driver made. In the first case, ops of one "
       "stream overlap.",
       {{"One call launches four ops.",
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
       "An op that a kernel launched has no issuing call on the host. It counts in every figure of "
       "the device, and belongs to no NVTX range. If a gap lies before the op, only other ops can "
       "explain this gap.",
       {{"The kernel A launched B.",
         "T a.......\n"
         "R ss......\n"
         "K .AA..BB.",
         {{"busy", "4"}, {"gaps", "stream-order 2"}, {"s/ops", "1"}, {"health", "unissued-ops 1"}},
         {.range = "s"}}}},
      {"Memsets",
       "A memset runs on the compute engine. It hides copies, and copies do not wait for it.",
       {{"",
         "M AAAA\n"
         "H ..BBB",
         {{"copy_hidden", "2/3"}, {"kernel_concurrency", "n/a: no kernels"}}}}},
      {"Copies on the compute engine",
       "The hardware channel decides on which engine a copy runs. A copy within the device, or a "
       "small copy of pageable memory, can run on a compute channel. It then competes with "
       "kernels, and `copy_hidden` does not count it as a copy. If the channel is not known, a "
       "copy within the device counts as compute.",
       {{"A is a copy within the device. B is a copy to the device on a compute channel.",
         "C AAAA..\n"
         "V ...BBB\n"
         "K ..CC..",
         {{"engine compute", "busy 6, ops 3"},
          {"copy_hidden", "n/a: no copies on copy engines"}}}}},
      {"Managed memory",
       "A migration of managed memory is not an op: no stream runs it, and no call issued it. The "
       "number of migrations is shown, but migrations belong to no engine and change no figure. "
       "The time of a migration is part of the duration of the kernel that waits for the page.",
       {{"Managed memory migrates while A runs.",
         "U .MMM..\n"
         "K AAAAAA",
         {{"ops", "1"}, {"busy", "6"}, {"health", "managed-migrations 1"}}}}},
      {"Lost times",
       "An op whose times are missing or impossible is drawn as !. Such ops are counted, but "
       "excluded from every figure. The result is inconclusive.",
       {{"",
         "K AA!.BB",
         {{"ops", "2"},
          {"sum", "4"},
          {"health", "invalid-timestamps 1"},
          {"trust", "inconclusive"}}}}},
      {"Unfinished ops",
       "An op that was still running when the recording ended has a start but no end. This is "
       "drawn as >. Such ops are counted, but excluded from every figure. The rest of the trace is "
       "not affected.",
       {{"",
         "K AA..BB>",
         {{"ops", "1"}, {"wall", "2"}, {"health", "unfinished-ops 1"}, {"trust", "sound"}}}}},
  };
}

}  // namespace lapscope::test
