#pragma once

#include <cuda_runtime_api.h>

#include "workloads/harness/device.h"

namespace lapscope::workloads::streams {

// Owns an executable CUDA graph, captured from the work that `issue` puts into `stream`.
class CapturedGraph {
 public:
  template <typename Issue>
  CapturedGraph(cudaStream_t stream, Issue&& issue) {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "begin to capture a graph");
    issue();
    check(cudaStreamEndCapture(stream, &graph), "capture a graph");
    check(cudaGraphInstantiate(&executable_, graph, 0), "instantiate a graph");
    cudaGraphDestroy(graph);
    check(cudaGraphUpload(executable_, stream), "upload a graph");
    check(cudaStreamSynchronize(stream), "wait for a graph to be uploaded");
  }
  CapturedGraph(const CapturedGraph&) = delete;
  CapturedGraph& operator=(const CapturedGraph&) = delete;
  ~CapturedGraph() { cudaGraphExecDestroy(executable_); }

  void launch(cudaStream_t stream) const {
    check(cudaGraphLaunch(executable_, stream), "launch a graph");
  }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace lapscope::workloads::streams
