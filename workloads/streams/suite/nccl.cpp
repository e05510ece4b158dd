#include "workloads/streams/suite/nccl.h"

#include <stdexcept>
#include <string>

namespace lapscope::workloads::streams {
namespace {

void require(int status, const std::string& action) {
  if (status == 0) return;
  throw std::runtime_error("could not " + action + ": NCCL status " + std::to_string(status));
}

}  // namespace

Nccl::Nccl() : library_("NCCL", {"libnccl.so.2"}) {}

std::vector<Nccl::Communicator> Nccl::connect(int gpus) const {
  std::vector<Communicator> communicators(static_cast<std::size_t>(gpus), nullptr);
  const auto init = library_.function<int (*)(Communicator*, int, const int*)>("ncclCommInitAll");
  require(init(communicators.data(), gpus, nullptr), "connect the GPUs");
  return communicators;
}

void Nccl::disconnect(Communicator communicator) const {
  library_.function<int (*)(Communicator)>("ncclCommDestroy")(communicator);
}

void Nccl::begin_group() const {
  require(library_.function<int (*)()>("ncclGroupStart")(), "begin a group");
}

void Nccl::end_group() const {
  require(library_.function<int (*)()>("ncclGroupEnd")(), "end a group");
}

void Nccl::add_up(const std::uint32_t* from, std::uint32_t* to, std::size_t count,
                  Communicator communicator, cudaStream_t stream) const {
  using AllReduce = int (*)(const void*, void*, std::size_t, int, int, Communicator, cudaStream_t);
  constexpr int uint32 = 3;
  constexpr int sum = 0;
  require(library_.function<AllReduce>("ncclAllReduce")(from, to, count, uint32, sum, communicator,
                                                        stream),
          "add up over the GPUs");
}

}  // namespace lapscope::workloads::streams
