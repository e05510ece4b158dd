#include "tests/analyzer/examples/example.h"

namespace lapscope::test {

std::vector<Topic> cause_topics() {
  return {
      {"stream-order",
       "The op followed another op in its stream. The time is the delay from the end of that op to "
       "the start of this one.",
       {{"",
         "T ab.....\n"
         "K .AA..B.",
         {{"gaps", "stream-order 2"}}}}},
      {"default-stream-barrier",
       "The op waited for work in the legacy default stream. Or the op was in the legacy default "
       "stream and waited for work in blocking streams.",
       {{"",
         "T abc......\n"
         "B .AA......\n"
         "L ....BB...\n"
         "B .......CC",
         {{"gaps", "default-stream-barrier 1; default-stream-barrier 1"}}}}},
      {"event-wait",
       "The op's stream waited for an event (cudaStreamWaitEvent).",
       {{"The event was recorded after A.",
         "T aQEb.......\n"
         "K .AAAAA.....\n"
         "K ........BB.",
         {{"gaps", "event-wait 2"}}},
        {"The wait for A has no effect: A had ended before B was launched.",
         "T aQ.Eb......\n"
         "K .A.........\n"
         "K ........BB.",
         {{"gaps", "host-compute 1, launch-overhead 1, launch-overhead 1, launch-latency 3"}}}}},
      {"copy-engine",
       "The op is a copy. The engine that copies in this direction had to finish another copy "
       "first.",
       {{"",
         "T ab.......\n"
         "H .AAA.....\n"
         "H .....BB..",
         {{"gaps", "copy-engine 1"}}}}},
      {"small-copies",
       "The op is a small copy that follows another small copy. Both could have been a single "
       "copy.",
       {{"Three copies of 1 KiB follow each other. The large copy shows the rate of the link.",
         "T jbcd......\n"
         "J .JJJ......\n"
         "I ....B.C.D.",
         {{"gaps", "small-copies 1; small-copies 1"}}}}},
      {"sm-saturated",
       "The op is a kernel. Other kernels occupied the multiprocessors, and the op had to wait "
       "until one of these kernels made room.",
       {{"A and B each fill all multiprocessors.",
         "T ab.................\n"
         "K .AAAAAAAAAAAAAAA...\n"
         "K .................BB",
         {{"gaps", "sm-saturated 1"}},
         {},
         {{'A', 100}, {'B', 100}}}}},
      {"queue-alias",
       "An op of another stream was ahead of the op in the same hardware queue.",
       {{"B waited for the end of A. C waited for the start of B.",
         "T abc.......\n"
         "A .AAA.B....\n"
         "A ........CC",
         {{"gaps", "stream-order 1; queue-alias 2"}}}}},
      {"host-func",
       "The op's stream or CUDA graph waited for a host function (cudaLaunchHostFunc).",
       {{"",
         "T aFb.........\n"
         "K .AA.......B.",
         {{"gaps", "host-func 7"}}}}},
      {"graph-edge",
       "The op is a node of a CUDA graph. It waited for a node that comes before it in the graph.",
       {{"A graph with two kernels is launched once.",
         "T a.......\n"
         "K .AA.....\n"
         "K ....AA..",
         {{"gaps", "graph-edge 1"}}}}},
      {"graph-exec-reuse",
       "The op belongs to a launch of an executable CUDA graph. An earlier launch of the same "
       "executable graph still ran in another stream.",
       {{"The same cudaGraphExec_t is launched twice.",
         "T ab.....\n"
         "G .AA....\n"
         "G ....BB.",
         {{"gaps", "graph-exec-reuse 1"}}}}},
      {"launch-latency",
       "The op was on its way from the host to the GPU.",
       {{"The launch of B returns 2 µs before B starts.",
         "T a...b....\n"
         "K .AAA...B.",
         {{"gaps", "launch-overhead 1, launch-latency 2"}}}}},
      {"host-sync",
       "The issuing thread waited for the device (cudaDeviceSynchronize, ...).",
       {{"The thread synchronises, then works outside CUDA, then launches B.",
         "T a.SSSSSS..bb....\n"
         "K .AAA........B...",
         {{"gaps", "host-sync 4, host-compute 2, launch-overhead 2"}}}}},
      {"pageable-copy",
       "The issuing thread was in a copy from or to pageable memory.",
       {{"The call of the copy returns 3 µs after the end of the copy.",
         "T aaaaaa.b..\n"
         "W .AA......\n"
         "K ........B",
         {{"gaps", "pageable-copy 3, host-compute 1, launch-overhead 1"}}}}},
      {"alloc-free",
       "The issuing thread was in an allocation or release of device memory.",
       {{"M is a call of cudaMalloc.",
         "T aMMMMb..\n"
         "K .AA...B.",
         {{"gaps", "alloc-free 2, launch-overhead 1"}}}}},
      {"host-pinning",
       "The issuing thread was in an allocation or release of page-locked memory.",
       {{"P is a call of cudaHostAlloc.",
         "T aPPPPb..\n"
         "K .AA...B.",
         {{"gaps", "host-pinning 2, launch-overhead 1"}}}}},
      {"module-load",
       "The issuing thread was blocked while code was loaded or compiled. This can happen inside "
       "the launch itself.",
       {{"The first launch of B loads its code.",
         "T a....bbbbb...\n"
         "O .....mmmm....\n"
         "K .AA.......B..",
         {{"gaps", "host-compute 2, module-load 4, launch-overhead 1"}}}}},
      {"launch-blocking",
       "Every launch returned only after its work had ended (CUDA_LAUNCH_BLOCKING).",
       {{"",
         "T aaaaaaa.bbbbbbb.ccccccc\n"
         "K .AAA.....BBB.....CCC...",
         {{"gaps",
           "launch-blocking 3, host-compute 1, launch-blocking 1; launch-blocking 3, host-compute "
           "1, "
           "launch-blocking 1"}}}}},
      {"launch-overhead",
       "The issuing thread was in a call that issues this op or an earlier one. Or the command "
       "buffer was full.",
       {{"The launch of B takes 3 µs.",
         "T a...bbb...\n"
         "K .AA....B..",
         {{"gaps", "host-compute 1, launch-overhead 3"}}},
        {"The command buffer is full during another call.",
         "T aXXXXb...\n"
         "O ...b.....\n"
         "K .AA...B..",
         {{"gaps", "launch-overhead 1, host-call 1, launch-overhead 1"}}}}},
      {"host-call",
       "The issuing thread was in another CUDA call.",
       {{"X is a call of cudaStreamCreate.",
         "T aXXXXb..\n"
         "K .AA...B.",
         {{"gaps", "host-call 2, launch-overhead 1"}}}}},
      {"host-compute",
       "The issuing thread was outside CUDA.",
       {{"The detail is the innermost NVTX range of the thread: i.",
         "T a........b...\n"
         "R oooooooooooo.\n"
         "R ....iiiii....\n"
         "K .AA.......B..",
         {{"gaps", "host-compute 6, launch-overhead 1"},
          {"details",
           "host-compute (in range 'i'), launch-overhead (cudaLaunchKernel in range 'o')"}}}}},
      {"lock",
       "The issuing thread waited for another thread that does the same work. The threads took "
       "turns, as if they shared a lock.",
       {{"Neither thread begins a call while the other one is in a call.",
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
       "Tracing itself blocked the issuing thread.",
       {{"Tracing takes 2 µs inside the launch of B.",
         "T a....bbbbb...\n"
         "O ......pp.....\n"
         "K .AA.......B..",
         {{"gaps", "host-compute 2, launch-overhead 1, profiler 2, launch-overhead 2"}}},
        {"Two overheads overlap. The overhead that began first counts until it ends. After that, "
         "the other overhead counts.",
         "T a....bbbbb...\n"
         "O .....ppp.....\n"
         "O ......mmm....\n"
         "K .AA.......B..",
         {{"gaps", "host-compute 2, profiler 3, module-load 1, launch-overhead 1"}}}}},
      {"not-issued",
       "No op ends the gap: the device is idle until the window ends.",
       {{"The window is 1 to 9.",
         "T a.........\n"
         "K .AA.......",
         {{"gaps", "not-issued 6"}},
         {.window = analyzer::Interval{1, 9}}}}},
      {"unexplained",
       "Nothing in the trace explains the time. There are two cases. First, the op started more "
       "than 20 µs after the last obstacle was gone: the time beyond 20 µs is unexplained. Second, "
       "the op had no obstacle, and the call that issued it is not in the trace.",
       {{"B was issued long before it started, and only A blocked it. Of the 23 µs between A and "
         "B, 20 µs count as stream-order. The other 3 µs are unexplained.",
         "T ab.........................\n"
         "K .A.......................B.",
         {{"gaps", "stream-order 20, unexplained 3"}}},
        {"The call that issued B is not in the trace.",
         "T a.......\n"
         "K .AA.....\n"
         "K ......B.",
         {{"gaps", "unexplained 3"}}}}},
  };
}

std::vector<Topic> gap_topics() {
  return {
      {"A gap of the device",
       "A gap is a maximal interval of the scope in which the device is idle. A pause of a single "
       "stream or engine is not a gap.",
       {{"Both streams pause, but the device is never idle.",
         "T abc.......\n"
         "K .AAA...CCC\n"
         "H ...BBBB...",
         {{"idle", "0"}, {"gaps", "none listed"}}}}},
      {"What is shown",
       "lapscope explains the time of a gap by a walk back in time. The walk begins at the start "
       "of the op after the gap, and goes to the op or call that blocked this op. From there it "
       "goes to whatever blocked that op or call, and so on, until it reaches the begin of the "
       "gap. The blame is computed by the same walk, so it shows the same causes for the same "
       "time. The walk may pass through work of another device, or through work outside the scope. "
       "In this case, a later op waited for this work. The time of the work counts as waiting, and "
       "its cause is the reason why the later op waited, for example `event-wait`.",
       {{"B waited for its launch. The launch waited until the thread was free, and the thread "
         "waited for A.",
         "T a.SSSSb...\n"
         "K .AAA......\n"
         "K ........B.",
         {{"gaps", "host-sync 2, launch-overhead 1, launch-latency 1"}}}}},
      {"Who is asked",
       "If several ops start at the end of a gap, the op that was issued first is taken as the op "
       "after the gap.",
       {{"B and C start at the same time. The second thread issued C before the first thread "
         "issued B. C is therefore the op after the gap, and the gap shows what delayed C.",
         "T a.SSSSb...\n"
         "T ....c.....\n"
         "K .AA.....B.\n"
         "K ........C.",
         {{"gaps", "host-compute 1, launch-overhead 1, launch-latency 3"}}}}},
  };
}

}  // namespace lapscope::test
