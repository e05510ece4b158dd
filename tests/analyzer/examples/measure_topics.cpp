#include "tests/analyzer/examples/example.h"

namespace lapscope::test {

std::vector<Topic> measure_topics() {
  return {
      {"overlap_ratio",
       "The main measure. It shows how much time was saved by overlap, as a share of the sum of "
       "all durations. It is 0 if ops follow each other without a pause, and 2/3 if three engines "
       "are busy all the time. It is negative if there is more idle time than overlap.",
       {{"Three engines are busy all the time.",
         "H AAAA\n"
         "K BBBB\n"
         "D CCCC",
         {{"wall", "4"}, {"sum", "12"}, {"overlap_ratio", "8/12"}}},
        {"Ops that follow each other without a pause do not overlap.",
         "H AAA......\n"
         "K ...BBB...\n"
         "D ......CCC",
         {{"wall", "9"}, {"sum", "9"}, {"overlap_ratio", "0/9"}}},
        {"There is more idle time than overlap.",
         "H AA....\n"
         "K ....BB",
         {{"wall", "6"}, {"sum", "4"}, {"overlap_ratio", "-2/4"}}},
        {"Kernels that run at the same time overlap, too.",
         "K AAAA..\n"
         "K ..BBBB",
         {{"overlap_ratio", "2/8"}}}}},
      {"overlap_ratio_alone",
       "The same as overlap_ratio, but each kernel counts with the time that it would take alone. "
       "Overlap that only makes the kernels slower therefore saves nothing. `n/a` if it is not "
       "known how long the kernels take alone (see [stretch](#stretch)).",
       {{"A takes 4 ns alone. Two launches of A at the same time take 7 ns instead of 8 ns. The "
         "pauses between the kernels cost more than this overlap saves.",
         "K AAAA.AAAA.AAAA.AAAAAAA.AAAAAAA\n"
         "K ...............AAAAAAA.AAAAAAA",
         {{"overlap_ratio", "10/40"}, {"overlap_ratio_alone", "-2/28"}}}}},
      {"busy_overlap_ratio",
       "The same as overlap_ratio, but without idle time. It is at least 0 and less than 1.",
       {{"The ops do not overlap, so busy_overlap_ratio is 0. The pause between the ops makes "
         "overlap_ratio negative, but does not change busy_overlap_ratio.",
         "H AA....\n"
         "K ....BB",
         {{"busy", "4"}, {"sum", "4"}, {"busy_overlap_ratio", "0/4"}, {"overlap_ratio", "-2/4"}}}}},
      {"overlap_efficiency",
       "The time that overlap saved, as a share of the possible saving. The bound is the least "
       "time in which the same ops could run. The bound is computed for each engine, and the "
       "largest value counts. The possible saving is the sum of all durations minus this bound. "
       "The bound is at most the time in which the device was busy, so overlap_efficiency is at "
       "most 1. `n/a` if the possible saving is very small (`least_saving`): there is almost "
       "nothing to overlap.\n\nThe bound of a copy engine is the sum of the durations of its "
       "copies. The bound of the compute engine is computed from the duration of each kernel and "
       "the share of the device that its grid can fill at once. The bound is the sum of the "
       "products duration × share over all kernels, but at least the duration of the longest "
       "kernel. The CUDA occupancy calculation gives the share from the launch parameters and the "
       "limits of the device. If the trace lacks these values, the bound of the compute engine is "
       "the time in which this engine was busy.",
       {{"The busiest engine needs 4 ns, and all ops one after the other need 12 ns. The window "
         "takes 8 ns, so half of the possible saving was made.",
         "H AAAA....\n"
         "K ..BBBB..\n"
         "D ....CCCC",
         {{"sum", "12"}, {"wall", "8"}, {"overlap_efficiency", "4/8"}}},
        {"The window is as short as its busiest engine allows.",
         "H AAAABBBBCCCC\n"
         "K .....DDDD...",
         {{"overlap_efficiency", "4/4"}}},
        {"Each kernel fills only a tenth of the device, so both could have run at the same time. "
         "They ran one after the other, so the saving was zero.",
         "K AAAABBBB",
         {{"overlap_efficiency", "0/4"}},
         {},
         {{'A', 10}, {'B', 10}}},
        {"Kernels that fill 100 % of the device leave nothing to overlap.",
         "K AAAABBBB",
         {{"overlap_efficiency",
           "n/a: one engine does nearly all the work: almost nothing can overlap"}},
         {},
         {{'A', 100}, {'B', 100}}},
        {"Each kernel fills 100 % of the device, but B begins while the last blocks of A still "
         "run. A and B take 4 ns each. The device was busy for only 5 ns, so the bound is 5 ns, "
         "not 8 ns.",
         "K AAAA.\n"
         "K .BBBB\n"
         "H .CC..",
         {{"sum", "10"}, {"busy", "5"}, {"overlap_efficiency", "5/5"}},
         {},
         {{'A', 100}, {'B', 100}}}}},
      {"copy_hidden",
       "The share of copy time during which the compute engine or a communication kernel is "
       "active. The remaining copy time is exposed. Time with several copies counts once, and so "
       "does time with several kernels.",
       {{"4 of the 6 ns of A are hidden. C is hidden completely.",
         "H AAAAAA..\n"
         "K ..BBBBBB\n"
         "D .......C",
         {{"copy_hidden", "5/7"}, {"h2d_hidden", "4/6"}, {"d2h_hidden", "1/1"}}},
        {"Two kernels hide the same copy. Its time counts once.",
         "H AAAA\n"
         "K BBBB\n"
         "K CCCC",
         {{"copy_hidden", "4/4"}}},
        {"Two copies overlap for 2 ns. This time counts once.",
         "H AAAA..\n"
         "D ..BBBB\n"
         "K .....C",
         {{"copy_hidden", "1/6"}}},
        {"Without copies, the share is not defined.",
         "K AAAA",
         {{"copy_hidden", "n/a: no copies on copy engines"}}}}},
      {"h2d_hidden",
       "The same as copy_hidden, for copies to the device only.",
       {{"Half of A is hidden.",
         "H AAAA..\n"
         "K ..BBBB",
         {{"h2d_hidden", "2/4"}}}}},
      {"d2h_hidden",
       "The same as copy_hidden, for copies to the host only.",
       {{"Only the part of B beside the kernel A is hidden. The copy C, in the other direction, "
         "hides nothing.",
         "K AAA...\n"
         "D ..BBBB\n"
         "H ....CC",
         {{"d2h_hidden", "1/4"}, {"h2d_hidden", "0/2"}}}}},
      {"bidirectional",
       "The time in which copies run in both directions at once, divided by the copy time of one "
       "direction. This is the direction with less copy time.",
       {{"B takes 4 ns. During 2 of these 4 ns, A runs at the same time.",
         "H AAAAAA..\n"
         "D ....BBBB",
         {{"bidirectional", "2/4"}}},
        {"A copy between devices belongs to neither direction.",
         "H AAAA\n"
         "P BBBB",
         {{"bidirectional", "n/a: no copies in one of the directions"}}}}},
      {"kernel_concurrency",
       "The average number of kernels that run at the same time. Only time in which at least one "
       "kernel runs counts for the average. Memsets also run on the compute engine, but do not "
       "count.",
       {{"The durations of the three kernels sum to 13 ns. For 8 ns, at least one of them runs.",
         "K AAAA....\n"
         "K ..BBBB..\n"
         "K ...CCCCC",
         {{"kernel_concurrency", "13/8"}, {"kernel_overlap", "4/8"}}},
        {"A memset is not a kernel.",
         "K AAAA\n"
         "M BBBB",
         {{"kernel_concurrency", "4/4"}, {"kernel_overlap", "0/4"}}}}},
      {"kernel_overlap",
       "The share of kernel time in which two or more kernels run.",
       {{"A long kernel overlaps with two short ones.",
         "K AAAAAAAA\n"
         "K .BB.....\n"
         "K .....CC.",
         {{"kernel_overlap", "4/8"}}},
        {"Kernels that only touch do not overlap.", "K AABB", {{"kernel_overlap", "0/4"}}}}},
      {"stretch",
       "The factor by which kernels take longer than they would alone. It is 1 if kernels that run "
       "at the same time do not slow each other down. It is 2 if two kernels run at the same time, "
       "but need as much time as if they ran one after the other. The time that a kernel takes "
       "alone is known in two cases. First, the trace has the kernel both alone and beside other "
       "launches of the same kernel with the same launch geometry. Second, the kernel's grid is "
       "too small to use the whole throughput of the device "
       "([hardware.md](hardware.md#kernels-beside-each-other)). In other cases, lapscope knows "
       "only a lower and an upper bound of this time. `n/a` if the two bounds of Σ|kernel alone| "
       "differ by more than 1 % of Σ|kernel|.",
       {{"A takes 4 ns alone, and 7 ns beside another A.",
         "K AAAA.AAAA.AAAA.AAAAAAA.AAAAAAA\n"
         "K ...............AAAAAAA.AAAAAAA",
         {{"stretch", "40/28"}, {"kernel_concurrency", "40/26"}}},
        {"The trace does not show how long A and B take alone.",
         "K AAAA\n"
         "K BBBB",
         {{"stretch",
           "n/a: kernels overlap, and the trace does not show how long each takes alone"}}},
        {"Each kernel runs on so few multiprocessors that it uses less than half of the throughput "
         "of the device. A fills 10 %, B fills 10 %.",
         "K AAAA\n"
         "K BBBB",
         {{"stretch", "8/8"}},
         {},
         {{'A', 10}, {'B', 10}}}}},
      {"comm_hidden",
       "The share of communication time during which the compute engine runs other work. A kernel "
       "is a communication kernel if its name begins with `nccl`, `nvshmem` or "
       "`cross_device_reduce_`, or if it is in a namespace `intranode`, `internode` or "
       "`internode_ll` of `deep_ep`. `--comm` gives other names instead, with or without "
       "namespaces.",
       {{"The communication kernels A and B take 6 ns, of which 2 ns are hidden.",
         "N AAAA....BB\n"
         "K ..CCCC....",
         {{"comm_hidden", "2/6"}, {"collective ncclDevKernel_A", "sum 4, hidden 2"}}},
        {"Collectives do not hide each other.",
         "N AAAA.\n"
         "N .BBBB",
         {{"comm_hidden", "0/5"}}},
        {"A memset hides communication like a kernel. A copy does not.",
         "N AAAA\n"
         "M B...\n"
         "H ..CC",
         {{"comm_hidden", "1/4"}}}}},
      {"idle_ratio",
       "The share of the scope in which the device did nothing.",
       {{"The device is idle for 2 of 6 ns.",
         "H AA....\n"
         "K ....BB",
         {{"idle_ratio", "2/6"}}}}},
      {"wall",
       "The length of the scope. For a window, it is the length of the window. For other scopes, "
       "it is the time from the earliest start of an op to the latest end of an op.",
       {{"The time before the first op does not count.", "K ..AAAA", {{"wall", "4"}}}}},
      {"busy",
       "The length of the union of all ops. Time with several ops counts once.",
       {{"The durations sum to 8 ns, but the ops overlap for 2 ns.",
         "K AAAA..\n"
         "K ..BBBB",
         {{"busy", "6"}, {"sum", "8"}}}}},
      {"sum",
       "The sum of the durations of all ops. If ops overlap, each of them counts with its whole "
       "duration.",
       {{"Two ops take 4 ns each, and one op takes 2 ns.",
         "K AAAA..\n"
         "H ..BBBB\n"
         "K ....CC",
         {{"sum", "10"}}}}},
      {"other_work",
       "The time in which the device runs only ops outside the scope. Only the scopes of NVTX "
       "ranges and profiler brackets can have other work, because they do not have all ops of the "
       "device. It counts neither as busy nor as idle.",
       {{"Between A and B, the device runs C for 3 µs and is idle for 1 µs. Another thread "
         "issued C inside its own range w. C does not belong to the range s.",
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
       "The sum of the gaps of the device. A pause of a single stream is not a gap.",
       {{"Both streams pause, but the device is idle only for 1 ns.",
         "K AA...AA\n"
         "K ..BB...",
         {{"idle", "1"}, {"busy", "6"}}}}},
  };
}

}  // namespace lapscope::test
