#include "analyzer/model/code_owner.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("a function is told without parameters, return type and template arguments") {
  CHECK(bare_function("main") == "main");
  CHECK(bare_function("tiles::process_tile(float*, int)") == "tiles::process_tile");
  CHECK(bare_function("void scale<float>(float*, float)") == "scale");
  CHECK(bare_function("std::map<int, void (*)(int)>::at(int const&) const") == "std::map::at");
  CHECK(bare_function("(anonymous namespace)::run(int)") == "(anonymous namespace)::run");
  CHECK(bare_function("cudaError (anonymous namespace)::go<T>()") == "(anonymous namespace)::go");
  CHECK(bare_function("main::{lambda(int)#1}::operator()(int) const") ==
        "main::{lambda(int)#1}::operator()");
  CHECK(bare_function("bool operator< <int>(A<int> const&, B)") == "operator< <int>");
  CHECK(bare_function("app+0x12ab") == "app+0x12ab");
  CHECK(bare_function("main [clone .cold]") == "main");
  CHECK(bare_function("my_operator(int)") == "my_operator");
  CHECK(bare_function("operators::run(int)") == "operators::run");
  CHECK(bare_function("") == "");
}

TEST_CASE("frames of CUDA, of what is made of it and of the interpreter are not the user's own") {
  const auto owner = [](const char* function, const char* module, const char* file = "") {
    return std::string(name_of(owner_of(function, module, file)));
  };
  // Code of the user.
  CHECK(owner("process_tile(float*, int)", "/home/me/app", "src/pipeline.cu") == "program");
  CHECK(owner("Trainer.step", "[python]", "train.py") == "program");
  CHECK(owner("cudart_user(int)", "app") == "program");
  CHECK(owner("custom::at(int)", "app") == "program");
  CHECK(owner("app+0x12ab", "/home/me/app") == "program");
  CHECK(owner("run", "/home/me/python_tool", "") == "program");
  // Code of CUDA, as a library or linked into the program.
  CHECK(owner("cudaLaunchKernel", "/usr/local/cuda/lib64/libcudart.so.13") == "runtime");
  CHECK(owner("", "/lib/x86_64-linux-gnu/libcuda.so.580.1") == "runtime");
  CHECK(owner("cudaDeviceSynchronize", "/home/me/app") == "runtime");
  CHECK(owner("libcudart_static_955d0e", "/home/me/app") == "runtime");
  CHECK(owner("cublasSgemm_v2", "/opt/libcublas.so.13") == "runtime");
  CHECK(owner("__device_stub__Z10stamp_tilePfi(float*, int)", "app", "/tmp/x-6_p.cudafe1.stub.c") ==
        "runtime");
  CHECK(owner("void __wrapper__device_stub_scale<float>(float*&, float&)", "app") == "runtime");
  CHECK(owner("cudaError cudaLaunchKernel<char>(char const*)", "app",
              "/usr/local/cuda/include/cuda_runtime.h") == "runtime");
  // Code of libraries that are built on CUDA.
  CHECK(owner("at::native::copy_(at::Tensor&)", "/x/torch/lib/libtorch_cpu.so") == "runtime");
  CHECK(owner("Adam.step", "[python]", "/v/lib/python3.12/site-packages/torch/optim/adam.py") ==
        "runtime");
  CHECK(owner("void thrust::sort<float*>(float*)", "app", "/usr/include/thrust/sort.h") ==
        "runtime");
  CHECK(owner("_PyEval_EvalFrameDefault", "/usr/bin/python3.11") == "runtime");
  CHECK(owner("__libc_start_main", "/lib/x86_64-linux-gnu/libc.so.6") == "runtime");
  // Code in folders of installed software.
  CHECK(owner("Model.run", "[python]", "/v/lib/python3.12/site-packages/model/run.py") ==
        "library");
  CHECK(owner("Thread.run", "[python]", "/usr/lib/python3.11/threading.py") == "library");
  CHECK(owner("work()", "/usr/lib/libwork.so") == "library");
}

}  // namespace
}  // namespace lapscope::analyzer
