#include "tests/analyzer/examples/example.h"

namespace lapscope::test {

std::vector<Topic> measure_topics() {
  return {
      {"overlap_ratio",
       "The headline: the share of the work's time that overlap saved. 0 when ops follow each "
       "other "
       "without a pause, 2/3 when three engines share the time perfectly, negative when idle time "
       "outweighs overlap.",
       {{"Three engines shared perfectly.",
         "H AAAA\n"
         "K BBBB\n"
         "D CCCC",
         {{"wall", "4"}, {"sum", "12"}, {"overlap_ratio", "8/12"}}},
        {"Ops one after the other without a pause do not overlap at all.",
         "H AAA......\n"
         "K ...BBB...\n"
         "D ......CCC",
         {{"wall", "9"}, {"sum", "9"}, {"overlap_ratio", "0/9"}}},
        {"Idle time outweighs overlap.",
         "H AA....\n"
         "K ....BB",
         {{"wall", "6"}, {"sum", "4"}, {"overlap_ratio", "-2/4"}}},
        {"Kernels that run together overlap, too.",
         "K AAAA..\n"
         "K ..BBBB",
         {{"overlap_ratio", "2/8"}}}}},
      {"overlap_ratio_alone",
       "The same with kernels counted with what they take alone: a kernel that is longer beside "
       "others is no saving. `n/a` where [stretch](#stretch) is, but for want of kernels.",
       {{"A takes 4 alone. Two at once take 7, which saves 1 of 8, and the pauses take more.",
         "K AAAA.AAAA.AAAA.AAAAAAA.AAAAAAA\n"
         "K ...............AAAAAAA.AAAAAAA",
         {{"overlap_ratio", "10/40"}, {"overlap_ratio_alone", "-2/28"}}}}},
      {"busy_overlap_ratio",
       "The same without idle time: from 0 up to, but never, 1.",
       {{"The ops do not overlap, however long the device pauses between them.",
         "H AA....\n"
         "K ....BB",
         {{"busy", "4"}, {"sum", "4"}, {"busy_overlap_ratio", "0/4"}, {"overlap_ratio", "-2/4"}}}}},
      {"overlap_efficiency",
       "The share of the possible saving that was made. The bound is the least time that the same "
       "ops "
       "can take: the sum of the busiest copy engine; or Σ|kernel| × the share of the device that "
       "the kernel's grid can fill at once, at least the longest kernel. The share comes from the "
       "launch and the device's limits by the CUDA occupancy calculation. Where the trace lacks "
       "them, "
       "the bound of the compute engine is the time that it was busy. The bound is never more than "
       "the time that the device was busy, so that efficiency is never above 1. `n/a` when the "
       "bound is nearly the sum (`least_saving`): there is next to nothing to overlap.",
       {{"The busiest engine needs 4, one after the other 12, it took 8: half of the saving was "
         "made.",
         "H AAAA....\n"
         "K ..BBBB..\n"
         "D ....CCCC",
         {{"sum", "12"}, {"wall", "8"}, {"overlap_efficiency", "4/8"}}},
        {"A window as short as its busiest engine allows.",
         "H AAAABBBBCCCC\n"
         "K .....DDDD...",
         {{"overlap_efficiency", "4/4"}}},
        {"Two kernels that fill half of the device each could have run together: none of the "
         "saving "
         "was made. A fills 50 %, B fills 50 %.",
         "K AAAABBBB",
         {{"overlap_efficiency", "0/4"}},
         {},
         {{'A', 10}, {'B', 10}}},
        {"Kernels that fill the device leave nothing to overlap. A fills 100 %, B fills 100 %.",
         "K AAAABBBB",
         {{"overlap_efficiency",
           "n/a: one engine does nearly all the work: there is next to nothing to overlap"}},
         {},
         {{'A', 100}, {'B', 100}}},
        {"Kernels that fill the device still overlap where one drains: what took 5 can take 5, and "
         "nothing is above 1. A fills 100 %, B fills 100 %.",
         "K AAAA.\n"
         "K .BBBB\n"
         "H .CC..",
         {{"sum", "10"}, {"busy", "5"}, {"overlap_efficiency", "5/5"}},
         {},
         {{'A', 100}, {'B', 100}}}}},
      {"copy_hidden",
       "The share of copy time during which something computes; the rest is exposed. Copies in "
       "both "
       "directions at once are one interval of copying, two kernels at once hide it once.",
       {{"4 of the 6 of A, and all of C.",
         "H AAAAAA..\n"
         "K ..BBBBBB\n"
         "D .......C",
         {{"copy_hidden", "5/7"}, {"h2d_hidden", "4/6"}, {"d2h_hidden", "1/1"}}},
        {"Two kernels hide a copy once.",
         "H AAAA\n"
         "K BBBB\n"
         "K CCCC",
         {{"copy_hidden", "4/4"}}},
        {"Copies at once are one interval of copying.",
         "H AAAA..\n"
         "D ..BBBB\n"
         "K .....C",
         {{"copy_hidden", "1/6"}}},
        {"Without copies there is no share of them.",
         "K AAAA",
         {{"copy_hidden", "n/a: no copies on copy engines"}}}}},
      {"h2d_hidden",
       "The same for copies to the device.",
       {{"Half of A is hidden.",
         "H AAAA..\n"
         "K ..BBBB",
         {{"h2d_hidden", "2/4"}}}}},
      {"d2h_hidden",
       "The same for copies to the host.",
       {{"Of B the part beside A; where the other direction copies, nothing is hidden by that.",
         "K AAA...\n"
         "D ..BBBB\n"
         "H ....CC",
         {{"d2h_hidden", "1/4"}, {"h2d_hidden", "0/2"}}}}},
      {"bidirectional",
       "The share of the rarer direction's time during which the other one copies, too.",
       {{"B beside A for 2 of its 4.",
         "H AAAAAA..\n"
         "D ....BBBB",
         {{"bidirectional", "2/4"}}},
        {"Copies between devices are of neither direction.",
         "H AAAA\n"
         "P BBBB",
         {{"bidirectional", "n/a: no copies in one of the directions"}}}}},
      {"kernel_concurrency",
       "How many kernels run at once on average, while any runs. About kernels alone: memsets, "
       "which "
       "run on the compute engine too, are not counted.",
       {{"13 ns of kernels in 8.",
         "K AAAA....\n"
         "K ..BBBB..\n"
         "K ...CCCCC",
         {{"kernel_concurrency", "13/8"}, {"kernel_overlap", "4/8"}}},
        {"A memset is no kernel.",
         "K AAAA\n"
         "M BBBB",
         {{"kernel_concurrency", "4/4"}, {"kernel_overlap", "0/4"}}}}},
      {"kernel_overlap",
       "The share of kernel time with two kernels or more.",
       {{"A long kernel over two short ones overlaps while they run.",
         "K AAAAAAAA\n"
         "K .BB.....\n"
         "K .....CC.",
         {{"kernel_overlap", "4/8"}}},
        {"Kernels that only touch do not overlap.", "K AABB", {{"kernel_overlap", "0/4"}}}}},
      {"stretch",
       "How many times as long as alone kernels take: 1 where they leave each other the throughput "
       "of the multiprocessors, and 2 where two at once take as long as one after the other. What "
       "they take alone the trace shows where it has them alone and longer beside their own, and "
       "it "
       "follows from their grids where these are too small to use all that there is "
       "([hardware.md](hardware.md#kernels-beside-each-other)). `n/a` where other kernels run "
       "beside "
       "each other for more than 2 % of their time.",
       {{"A takes 4 alone and 7 beside its own.",
         "K AAAA.AAAA.AAAA.AAAAAAA.AAAAAAA\n"
         "K ...............AAAAAAA.AAAAAAA",
         {{"stretch", "40/28"}, {"kernel_concurrency", "40/26"}}},
        {"What A and B take alone is not shown.",
         "K AAAA\n"
         "K BBBB",
         {{"stretch",
           "n/a: kernels run beside each other, and what they take alone is not shown"}}},
        {"Few multiprocessors cannot use half of what there is. A fills 10 %, B fills 10 %.",
         "K AAAA\n"
         "K BBBB",
         {{"stretch", "8/8"}},
         {},
         {{'A', 10}, {'B', 10}}}}},
      {"comm_hidden",
       "The share of communication time during which other work is on the compute engine. A kernel "
       "communicates when its name begins with `nccl` or `nvshmem`, or as `--comm` says.",
       {{"2 of the 6 of the communication kernels A and B.",
         "N AAAA....BB\n"
         "K ..CCCC....",
         {{"comm_hidden", "2/6"}, {"collective ncclDevKernel_A", "sum 4, hidden 2"}}},
        {"Collectives do not hide each other.",
         "N AAAA.\n"
         "N .BBBB",
         {{"comm_hidden", "0/5"}}},
        {"A memset hides as a kernel does, a copy does not.",
         "N AAAA\n"
         "M B...\n"
         "H ..CC",
         {{"comm_hidden", "1/4"}}}}},
      {"idle_ratio",
       "The share of the scope in which the device did nothing.",
       {{"Idle for 2 of 6.",
         "H AA....\n"
         "K ....BB",
         {{"idle_ratio", "2/6"}}}}},
      {"wall",
       "The length of the scope: of a window as given, else from the first start to the last end.",
       {{"What lies before the first op does not count.", "K ..AAAA", {{"wall", "4"}}}}},
      {"busy",
       "The union of all ops: overlapping ops count once.",
       {{"6, not 8.",
         "K AAAA..\n"
         "K ..BBBB",
         {{"busy", "6"}, {"sum", "8"}}}}},
      {"sum",
       "All durations: overlapping ops count each.",
       {{"Two ops of 4 and one of 2.",
         "K AAAA..\n"
         "H ..BBBB\n"
         "K ....CC",
         {{"sum", "10"}}}}},
      {"other_work",
       "Time in which the device ran ops, but none of the scope: of ranges and brackets, which are "
       "not all that it runs. It is neither busy nor idle.",
       {{"Between A and B the device is idle for 1, and works for another thread for 3.",
         "T ab......\n"
         "R ss......\n"
         "T c.......\n"
         "R w.......\n"
         "K ..AA....BB\n"
         "K .....CCC..",
         {{"other_work", "0"},
          {"s/other_work", "3"},
          {"s/idle", "1"},
          {"s/busy", "4"},
          {"s/wall", "8"},
          {"s/states", "idle 1, other-work 3, compute 4"},
          {"s/gaps", "stream-order 1"}},
         {.range = "s"}}}},
      {"idle",
       "The sum of the device's gaps. Idle time of single streams is nowhere added up.",
       {{"Both streams pause, but the device only for 1.",
         "K AA...AA\n"
         "K ..BB...",
         {{"idle", "1"}, {"busy", "6"}}}}},
  };
}

}  // namespace lapscope::test
