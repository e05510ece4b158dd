#include "tests/analyzer/examples/example.h"

namespace lapscope::test {

std::vector<Topic> cause_topics() {
  return {
      {"stream-order",
       "The op followed another one in its stream: the delay from the end of the one to the start "
       "of "
       "the other.",
       {{"",
         "T ab.....\n"
         "K .AA..B.",
         {{"gaps", "stream-order 2"}}}}},
      {"default-stream-barrier",
       "It waited for work in the legacy default stream, or was in that stream and waited for the "
       "blocking ones.",
       {{"",
         "T abc......\n"
         "B .AA......\n"
         "L ....BB...\n"
         "B .......CC",
         {{"gaps", "default-stream-barrier 1; default-stream-barrier 1"}}}}},
      {"event-wait",
       "Its stream waited for an event (cudaStreamWaitEvent).",
       {{"The event stands for A.",
         "T aQEb.......\n"
         "K .AAAAA.....\n"
         "K ........BB.",
         {{"gaps", "event-wait 2"}}},
        {"A wait for what had ended when B was launched explains nothing.",
         "T aQ.Eb......\n"
         "K .A.........\n"
         "K ........BB.",
         {{"gaps", "host-compute 1, launch-overhead 1, launch-overhead 1, launch-latency 3"}}}}},
      {"copy-engine",
       "The engine that copies in its direction had to end another copy.",
       {{"",
         "T ab.......\n"
         "H .AAA.....\n"
         "H .....BB..",
         {{"gaps", "copy-engine 1"}}}}},
      {"small-copies",
       "It is a small copy, and another one of the row came before it, with which it could "
       "have been one.",
       {{"Three copies of 1 KiB in a row; the large one shows what the link carries.",
         "T jbcd......\n"
         "J .JJJ......\n"
         "I ....B.C.D.",
         {{"gaps", "small-copies 1; small-copies 1"}}}}},
      {"sm-saturated",
       "Another kernel had to make room on the multiprocessors.",
       {{"A and B take all of them.",
         "T ab.................\n"
         "K .AAAAAAAAAAAAAAA...\n"
         "K .................BB",
         {{"gaps", "sm-saturated 1"}},
         {},
         {{'A', 100}, {'B', 100}}}}},
      {"queue-alias",
       "An op of another stream was ahead in the same hardware queue.",
       {{"B waited for A, and C for B's start.",
         "T abc.......\n"
         "A .AAA.B....\n"
         "A ........CC",
         {{"gaps", "stream-order 1; queue-alias 2"}}}}},
      {"host-func",
       "Its stream, or its CUDA graph, waited for a host function (cudaLaunchHostFunc).",
       {{"",
         "T aFb.........\n"
         "K .AA.......B.",
         {{"gaps", "host-func 7"}}}}},
      {"graph-edge",
       "It is a node of a CUDA graph, and another node came before it.",
       {{"One launch of two kernels.",
         "T a.......\n"
         "K .AA.....\n"
         "K ....AA..",
         {{"gaps", "graph-edge 1"}}}}},
      {"graph-exec-reuse",
       "It was launched with a CUDA graph whose executable still ran in another stream.",
       {{"Two launches of one cudaGraphExec_t.",
         "T ab.....\n"
         "G .AA....\n"
         "G ....BB.",
         {{"gaps", "graph-exec-reuse 1"}}}}},
      {"launch-latency",
       "The op was on its way from the host to the GPU.",
       {{"2 from the return of the launch to the start of B.",
         "T a...b....\n"
         "K .AAA...B.",
         {{"gaps", "launch-overhead 1, launch-latency 2"}}}}},
      {"host-sync",
       "The issuing thread waited for the device (cudaDeviceSynchronize, ...).",
       {{"A synchronisation, then work outside CUDA, then the launch of B.",
         "T a.SSSSSS..bb....\n"
         "K .AAA........B...",
         {{"gaps", "host-sync 4, host-compute 2, launch-overhead 2"}}}}},
      {"pageable-copy",
       "It was in a copy from or to pageable memory.",
       {{"The call returns late.",
         "T aaaaaa.b..\n"
         "W .AA......\n"
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
       "It was blocked by code being loaded or compiled, be it inside the launch.",
       {{"The first launch of B loads its code.",
         "T a....bbbbb...\n"
         "O .....mmmm....\n"
         "K .AA.......B..",
         {{"gaps", "host-compute 2, module-load 4, launch-overhead 1"}}}}},
      {"launch-blocking",
       "All launches returned only when their work had ended (CUDA_LAUNCH_BLOCKING).",
       {{"",
         "T aaaaaaa.bbbbbbb.ccccccc\n"
         "K .AAA.....BBB.....CCC...",
         {{"gaps",
           "launch-blocking 3, host-compute 1, launch-blocking 1; launch-blocking 3, host-compute "
           "1, "
           "launch-blocking 1"}}}}},
      {"launch-overhead",
       "It was in a call that issues work, of this op or an earlier one, or its command buffer was "
       "full.",
       {{"The launch of B takes its time.",
         "T a...bbb...\n"
         "K .AA....B..",
         {{"gaps", "host-compute 1, launch-overhead 3"}}},
        {"In another call the command buffer was full.",
         "T aXXXXb...\n"
         "O ...b.....\n"
         "K .AA...B..",
         {{"gaps", "launch-overhead 1, host-call 1, launch-overhead 1"}}}}},
      {"host-call",
       "It was in another CUDA call.",
       {{"cudaStreamCreate.",
         "T aXXXXb..\n"
         "K .AA...B.",
         {{"gaps", "host-call 2, launch-overhead 1"}}}}},
      {"host-compute",
       "It was outside CUDA.",
       {{"The innermost NVTX range of the thread shows where, here i.",
         "T a........b...\n"
         "R oooooooooooo.\n"
         "R ....iiiii....\n"
         "K .AA.......B..",
         {{"gaps", "host-compute 6, launch-overhead 1"},
          {"details",
           "host-compute (in range 'i'), launch-overhead (cudaLaunchKernel in range 'o')"}}}}},
      {"lock",
       "Its thread waited for one that does the same work, as for a lock.",
       {{"No call of one thread begins while the other is in one.",
         "T "
         "aSSS.......................bSSS.......................cSSS.......................dSSS...."
         "...................eSSS.\n"
         "T "
         ".....fSSSSSSSSSSSSSSSSSS........gSSSSSSSSSSSSSSSSSS........hSSSSSSSSSSSSSSSSSS........"
         "kSSSSSSSSSSSSSSSSSS........\n"
         "J "
         ".AA.........................BB.........................CC.........................DD....."
         "....................EE..\n"
         "J "
         "......FFFFFFFFFFFFFFFF...........GGGGGGGGGGGGGGGG...........HHHHHHHHHHHHHHHH..........."
         "KKKKKKKKKKKKKKKK..........",
         {{"gaps",
           "host-sync 1, host-compute 1, launch-overhead 1; host-sync 2, lock 3, launch-overhead "
           "1; host-compute 2, launch-overhead 1; host-sync 2, lock 3, launch-overhead 1; "
           "host-compute 2, launch-overhead 1; host-sync 2, lock 3, launch-overhead 1; "
           "host-compute 2, launch-overhead 1; host-sync 2, lock 3, launch-overhead 1"}}}}},
      {"profiler",
       "It was blocked by tracing itself.",
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
      {"unexplained",
       "Nothing in the trace accounts for it: what is longer than 20 µs after the last thing that "
       "blocked the op, and an op whose call is not in the trace and that waited for nothing.",
       {{"Issued long before and held back by nothing in the trace: all but the way to its start.",
         "T ab.........................\n"
         "K .A.......................B.",
         {{"gaps", "stream-order 20, unexplained 3"}}},
        {"No call is known that issued B.",
         "T a.......\n"
         "K .AA.....\n"
         "K ......B.",
         {{"gaps", "unexplained 3"}}}}},
  };
}

std::vector<Topic> gap_topics() {
  return {
      {"A gap of the device",
       "A gap is a maximal interval of the scope in which the device did nothing. Pauses of single "
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
         {{"idle", "5"}, {"short gaps", "2 of 2 in all"}, {"gaps", "stream-order 3"}},
         {.shortest_gap = 2}}}},
      {"What is shown",
       "From the start of the op that ends the gap the time is walked back along what blocked that "
       "op, "
       "and what blocked that, to the begin of the gap: as for blame, which shows the same of the "
       "same time. Where the way leads through work of another device, or work that is not in the "
       "scope, the time is that of the cause by which it was waited for.",
       {{"B waited for its launch, the launch for the thread, and that for A.",
         "T a.SSSSb...\n"
         "K .AAA......\n"
         "K ........B.",
         {{"gaps", "host-sync 2, launch-overhead 1, launch-latency 1"}}}}},
      {"Who is asked",
       "Of ops that start together, the one that was issued first ended the gap.",
       {{"B and C start together. The second thread had issued C before the first one issued B.",
         "T a.SSSSb...\n"
         "T ....c.....\n"
         "K .AA.....B.\n"
         "K ........C.",
         {{"gaps", "host-compute 1, launch-overhead 1, launch-latency 3"}}}}},
  };
}

}  // namespace lapscope::test
