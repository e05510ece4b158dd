// Shows which work in other streams the legacy default stream delays. Also shows which work in
// other streams cudaStreamSynchronize(0) waits for. Prints the results of three passes.
#include <cuda_runtime.h>
#include <chrono>
#include <cstdio>
#define OK(x)                                                    \
  do {                                                           \
    cudaError_t e_ = (x);                                        \
    if (e_) {                                                    \
      std::printf("error %s: %s\n", #x, cudaGetErrorString(e_)); \
      return;                                                    \
    }                                                            \
  } while (0)
__device__ unsigned long long now() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}
__global__ void spin(unsigned long long ns, unsigned long long* at) {
  const auto s = now();
  while (now() - s < ns) {
  }
  at[0] = s;
  at[1] = now();
}
unsigned long long* at;
cudaStream_t b1, b2, n1, n2;
cudaEvent_t e, f;
constexpr unsigned long long ms = 1000000;
double host_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
void A(cudaStream_t s, int i, unsigned long long t = 5 * ms) {
  spin<<<1, 1, 0, s>>>(t, at + 2 * i);
}
void overlap(const char* what, int a, int c) {
  cudaDeviceSynchronize();
  std::printf("%-72s %s\n", what, at[2 * c] < at[2 * a + 1] ? "runs beside" : "held up");
}
template <class F>
void blocked(const char* what, F f2) {
  const double t = host_ms();
  f2();
  const double d = host_ms() - t;
  std::printf("%-72s %s (%.2f ms)\n", what, d > 2 ? "host waits" : "returns at once", d);
  cudaDeviceSynchronize();
}
void run() {
  A(b1, 0);
  A(b2, 1);
  overlap("control: blocking 1, then blocking 2", 0, 1);
  A(b1, 0);
  A(0, 2, 1000);
  A(b2, 1);
  overlap("blocking 1, kernel in legacy, blocking 2", 0, 1);
  A(b1, 0);
  OK(cudaEventRecord(e, 0));
  A(b2, 1);
  overlap("blocking 1, cudaEventRecord in legacy, blocking 2", 0, 1);
  OK(cudaEventRecord(f, n2));
  OK(cudaStreamSynchronize(n2));
  A(b1, 0);
  OK(cudaStreamWaitEvent(0, f, 0));
  A(b2, 1);
  overlap("blocking 1, cudaStreamWaitEvent (done event) in legacy, blocking 2", 0, 1);
  A(n1, 0);
  OK(cudaEventRecord(f, n1));
  OK(cudaStreamWaitEvent(0, f, 0));
  A(b2, 1);
  overlap("non-blocking 1, wait for it in legacy, blocking 2", 0, 1);
  A(n1, 0);
  OK(cudaEventRecord(f, n1));
  OK(cudaStreamWaitEvent(b1, f, 0));
  A(0, 2, 1000);
  overlap("non-blocking 1, wait for it in blocking 1, kernel in legacy", 0, 2);
  A(b1, 0);
  OK(cudaEventRecord(e, 0));
  OK(cudaStreamWaitEvent(n1, e, 0));
  A(n1, 1);
  overlap("blocking 1, record in legacy, non-blocking waits for that", 0, 1);
  A(b1, 0);
  blocked("blocking 1 runs: cudaStreamSynchronize(0)", [] { cudaStreamSynchronize(0); });
  A(n1, 0);
  blocked("non-blocking 1 runs: cudaStreamSynchronize(0)", [] { cudaStreamSynchronize(0); });
  A(b1, 0);
  OK(cudaEventRecord(e, 0));
  blocked("blocking 1 runs, record in legacy: cudaEventSynchronize",
          [] { cudaEventSynchronize(e); });
  A(0, 0);
  blocked("legacy runs: cudaStreamSynchronize(blocking 1)", [] { cudaStreamSynchronize(b1); });
  A(0, 0);
  OK(cudaEventRecord(e, b1));
  blocked("legacy runs, record in blocking 1: cudaEventSynchronize",
          [] { cudaEventSynchronize(e); });
  A(n1, 0);
  OK(cudaEventRecord(f, n1));
  OK(cudaStreamWaitEvent(0, f, 0));
  blocked("legacy waits for non-blocking: cudaStreamSynchronize(0)",
          [] { cudaStreamSynchronize(0); });
  A(n1, 0);
  OK(cudaEventRecord(f, n1));
  OK(cudaStreamWaitEvent(0, f, 0));
  blocked("legacy waits for non-blocking: cudaStreamSynchronize(blocking 1)",
          [] { cudaStreamSynchronize(b1); });
  A(b1, 0);
  blocked("blocking 1 runs: cudaStreamQuery(0) says not ready", [] {
    std::printf("  query: %s\n", cudaGetErrorName(cudaStreamQuery(0)));
    cudaGetLastError();
  });
  cudaGraph_t g;
  cudaGraphExec_t x, y;
  OK(cudaStreamBeginCapture(n1, cudaStreamCaptureModeThreadLocal));
  A(n1, 0);
  OK(cudaStreamEndCapture(n1, &g));
  OK(cudaGraphInstantiate(&x, g, 0));
  OK(cudaGraphInstantiate(&y, g, 0));
  const auto two = [](cudaGraphExec_t p, cudaGraphExec_t q, const char* what) {
    cudaGraphLaunch(p, n1);
    cudaDeviceSynchronize();
    const double t = host_ms();
    cudaGraphLaunch(p, n1);
    cudaGraphLaunch(q, n2);
    cudaDeviceSynchronize();
    const double d = host_ms() - t;
    std::printf("%-72s %s (%.2f ms)\n", what, d > 8 ? "one after the other" : "side by side", d);
  };
  two(x, x, "one executable graph launched to two streams");
  two(x, y, "two executables of one graph launched to two streams");
}
int main() {
  cudaMallocManaged(&at, 64);
  cudaStreamCreate(&b1);
  cudaStreamCreate(&b2);
  cudaStreamCreateWithFlags(&n1, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&n2, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&f, cudaEventDisableTiming);
  A(0, 0, 1000);
  cudaDeviceSynchronize();
  for (int i = 0; i < 3; ++i) {
    std::printf("-- repeat %d\n", i);
    run();
  }
  std::printf("last error: %s\n", cudaGetErrorString(cudaGetLastError()));
}
