#include "tests/analyzer/examples/example.h"

namespace lapscope::test {

std::vector<Topic> cause_topics() {
  return {
      {"host-sync",
       "The issuing thread was in a synchronising call (cudaDeviceSynchronize, ...).",
       {{"A synchronisation, then work outside CUDA, then the launch of B.",
         "T a.SSSSSS..bb....\n"
         "K .AAA........B...",
         {{"gaps", "host-sync 4, host-compute 2, launch-overhead 2"}}}}},
      {"pageable-copy",
       "It was in another copy call that had not returned.",
       {{"A copy of pageable memory, which returns late.",
         "T aaaaaa.b..\n"
         "H .AA......\n"
         "K ........B",
         {{"gaps", "pageable-copy 3, host-compute 1, launch-overhead 1"}}}}},
      {"alloc-free",
       "It was in an allocation or release of device memory.",
       {{"cudaMalloc.",
         "T aMMMMb..\n"
         "K .AA...B.",
         {{"gaps", "alloc-free 2, launch-overhead 1"}}}}},
      {"host-pinning",
       "It was in an allocation or release of page-locked memory.",
       {{"cudaHostAlloc.",
         "T aPPPPb..\n"
         "K .AA...B.",
         {{"gaps", "host-pinning 2, launch-overhead 1"}}}}},
      {"module-load",
       "It was held up by code being loaded or compiled, be it inside the launch.",
       {{"The first launch of B loads its code.",
         "T a....bbbbb...\n"
         "O .....mmmm....\n"
         "K .AA.......B..",
         {{"gaps", "host-compute 2, module-load 4, launch-overhead 1"}}}}},
      {"launch-overhead",
       "It was in a launch call, of this op or an earlier one, or its command buffer was full.",
       {{"The launch of B takes its time.",
         "T a...bbb...\n"
         "K .AA....B..",
         {{"gaps", "host-compute 1, launch-overhead 3"}}},
        {"So it is when the command buffer is full.",
         "T a...bbb...\n"
         "O .....bb...\n"
         "K .AA....B..",
         {{"gaps", "host-compute 1, launch-overhead 1, launch-overhead 2"}}}}},
      {"host-call",
       "It was in another CUDA call.",
       {{"cudaEventRecord.",
         "T aQQQQb..\n"
         "K .AA...B.",
         {{"gaps", "host-call 2, launch-overhead 1"}}}}},
      {"host-compute",
       "It was outside CUDA.",
       {{"The innermost NVTX range of the thread tells where, here i.",
         "T a........b...\n"
         "R oooooooooooo.\n"
         "R ....iiiii....\n"
         "K .AA.......B..",
         {{"gaps", "host-compute 6, launch-overhead 1"},
          {"details",
           "host-compute (in range 'i'), launch-overhead (cudaLaunchKernel in range 'o')"}}}}},
      {"profiler",
       "It was held up by tracing itself.",
       {{"Tracing inside the launch of B.",
         "T a....bbbbb...\n"
         "O ......pp.....\n"
         "K .AA.......B..",
         {{"gaps", "host-compute 2, launch-overhead 1, profiler 2, launch-overhead 2"}}},
        {"Of overheads that overlap, the one that began first counts until it ends.",
         "T a....bbbbb...\n"
         "O .....ppp.....\n"
         "O ......mmm....\n"
         "K .AA.......B..",
         {{"gaps", "host-compute 2, profiler 3, module-load 1, launch-overhead 1"}}}}},
      {"not-issued",
       "No op follows: the window ends idle.",
       {{"1 to 9.",
         "T a.........\n"
         "K .AA.......",
         {{"gaps", "not-issued 6"}},
         {.window = analyzer::Interval{1, 9}}}}},
      {"launch-latency",
       "The op was on its way to the GPU, or followed the op before it there; at most the last 20 "
       "µs.",
       {{"2 from the return of the launch to the start of B.",
         "T a...b....\n"
         "K .AAA...B.",
         {{"gaps", "launch-overhead 1, launch-latency 2"}}}}},
      {"event-wait",
       "The op followed a cudaStreamWaitEvent in its stream.",
       {{"The thread made the stream wait before it launched B.",
         "T aEb.........\n"
         "K .AA.......B.",
         {{"gaps", "event-wait 7"}}},
        {"A wait that an earlier op of the stream has passed explains nothing.",
         "T aEbc.......\n"
         "K .AABB....C.",
         {{"gaps", "launch-latency 4"}}}}},
      {"host-func",
       "The op followed a cudaLaunchHostFunc or cudaStreamAddCallback of its process (no record "
       "tells of which stream, so it may have been another), or a host function in its CUDA graph.",
       {{"A host function before B.",
         "T aFb.........\n"
         "K .AA.......B.",
         {{"gaps", "host-func 7"}}}}},
      {"unexplained",
       "The op has none of these reasons, or its call is not in the trace.",
       {{"Issued long before and held back by nothing in the trace: all but the way to the GPU.",
         "T ab.........................\n"
         "K .A.......................B.",
         {{"gaps", "unexplained 3, launch-latency 20"}}},
        {"No call is known that issued B.",
         "T a.......\n"
         "K .AA...B.",
         {{"gaps", "unexplained 3"}}}}},
  };
}

std::vector<Topic> gap_topics() {
  return {
      {"A gap of the device",
       "A gap is a maximal stretch of the scope in which the device did nothing. Pauses of single "
       "streams or engines are none.",
       {{"Both streams pause, the device does not.",
         "T abc.......\n"
         "K .AAA...CCC\n"
         "H ...BBBB...",
         {{"idle", "0"}, {"gaps", "none listed"}}}}},
      {"Short gaps",
       "Gaps below 1 µs, or `--min-gap`, are counted and summed, and not looked into. With them, "
       "the "
       "parts of all gaps sum to the idle time, to the nanosecond.",
       {{"With a limit of 2 µs.",
         "T abc...d.....\n"
         "K .AA.BB.CC...D",
         {{"idle", "5"}, {"short gaps", "2 of 2 in all"}, {"gaps", "launch-latency 3"}},
         {.shortest_gap = 2}}}},
      {"Who is asked",
       "Of ops that start together, the thread that issued first ended the gap.",
       {{"B and C start together. The second thread had issued C before the first one issued B.",
         "T a.SSSSb...\n"
         "T ....c.....\n"
         "K .AA.....B.\n"
         "K ........C.",
         {{"gaps", "host-compute 1, launch-overhead 1, launch-latency 3"}}}}},
  };
}

}  // namespace lapscope::test
