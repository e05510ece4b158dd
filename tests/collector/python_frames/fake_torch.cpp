// The name by which PyTorch's autograd threads are known, in a library of the name that has it
// there.

#include <memory>

namespace torch::autograd {

struct GraphTask {};

struct Engine {
  void thread_main(const std::shared_ptr<GraphTask>& task);
};

void Engine::thread_main(const std::shared_ptr<GraphTask>& task) {
  const volatile bool is_there = task != nullptr;
  static_cast<void>(is_there);
}

}  // namespace torch::autograd
