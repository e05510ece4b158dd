#include "readers/kineto/frame_names.h"

#include "tests/catch.h"

namespace lapscope::kineto {
namespace {

using analyzer::ThreadState;

TEST_CASE("a function of Python is called by its file, line and name") {
  const auto function = python_function("src/(a) train.py(12): step");
  REQUIRE(function.has_value());
  CHECK(function->file == "src/(a) train.py");
  CHECK(function->line == 12);
  CHECK(function->name == "step");
  for (const char* text : {"nn.Module: Linear_0", "train.py(x): step", "(12): step", "", "a): b"}) {
    CAPTURE(text);
    CHECK_FALSE(python_function(text).has_value());
  }
}

TEST_CASE("a built-in function is called by its name and the type that it is of") {
  struct Case {
    const char* text;
    const char* name;
    ThreadState state;
  };
  for (const Case& one : {
           Case{"<built-in function len>", "len", ThreadState::unknown},
           {"<built-in method sleep of module object at 0x7f12>", "sleep", ThreadState::sleeping},
           {"<built-in method acquire of _thread.lock object at 0x7f12>", "_thread.lock.acquire",
            ThreadState::lock},
           {"<built-in method poll of select.poll object at 0x7f12>", "select.poll.poll",
            ThreadState::polling},
           {"<built-in method view of Tensor object at 0x7f12>", "Tensor.view",
            ThreadState::unknown},
           {"<built-in method cat of type object at 0x7f12>", "cat", ThreadState::unknown},
           {"<built-in method asleep of module object at 0x7f12>", "asleep", ThreadState::unknown},
       }) {
    const auto function = builtin_function(one.text);
    CAPTURE(one.text);
    REQUIRE(function.has_value());
    CHECK(function->name == one.name);
    CHECK(function->state == one.state);
  }
  for (const char* text : {"train.py(12): step", "<built-in method ", "<built-in method >", ""}) {
    CAPTURE(text);
    CHECK_FALSE(builtin_function(text).has_value());
  }
}

TEST_CASE("annotations that PyTorch makes are functions of it") {
  const auto step = function_of_annotation("Optimizer.step#AdamW.step");
  REQUIRE(step.has_value());
  CHECK(step->name == "AdamW.step");
  CHECK(step->file == "torch/optim/optimizer.py");
  const auto loader =
      function_of_annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
  REQUIRE(loader.has_value());
  CHECK(loader->name == "_SingleProcessDataLoaderIter.__next__");
  CHECK(function_of_annotation("DistributedDataParallel.forward")->name ==
        "DistributedDataParallel.forward");
  CHECK_FALSE(function_of_annotation("forward").has_value());
  CHECK(is_around_iteration("ProfilerStep#12"));
  CHECK_FALSE(is_around_iteration("forward"));
}

TEST_CASE("annotations that differ in the number of an iteration are one") {
  CHECK(without_numbers("batch 17") == "batch *");
  CHECK(without_numbers("epoch_3, step=12") == "epoch_*, step=*");
  CHECK(without_numbers("7#8") == "*#*");
  CHECK(without_numbers("layer12.conv1") == "layer12.conv1");
  CHECK(without_numbers("## forward ##") == "## forward ##");
  CHECK(without_numbers("").empty());
}

}  // namespace
}  // namespace lapscope::kineto
