#include "analyzer/host_time/host_kinds.h"

#include <fstream>
#include <sstream>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

struct Called {
  const char* function;
  const char* file;  // a Python file, or "MODULE|FILE", such as "libtorch.so|"
};

const std::string torch = "/opt/venv/lib/python3.12/site-packages/torch/";

// Returns the kind of a stack. The innermost frame comes first.
HostKind kind_of(const KindTable& table, ThreadState state, const std::vector<Called>& stack) {
  std::vector<KindTable::SeenFrame> frames;
  for (const Called& one : stack) {
    std::string file = one.file;
    std::string module(python_module);
    if (const std::size_t bar = file.find('|'); bar != std::string::npos) {
      module = file.substr(0, bar);
      file = file.substr(bar + 1);
    }
    if (file.starts_with("torch/")) file = torch + file.substr(6);
    frames.push_back(table.seen(one.function, module, file, owner_of(one.function, module, file)));
  }
  std::vector<const KindTable::SeenFrame*> seen;
  for (const auto& frame : frames) seen.push_back(&frame);
  return table.kind_of(state, seen).kind;
}

TEST_CASE("the kind of work is that of the innermost frame that a row of the table is of") {
  using enum HostKind;
  using S = ThreadState;
  struct Case {
    const char* what;
    HostKind kind;
    ThreadState state;
    std::vector<Called> stack;
  };
  const Called main{"main", "train.py"};
  const Case cases[] = {
      {"a line of the program", user, S::running, {main}},
      {"Python's own library, called by the program",
       user,
       S::running,
       {{"Random.shuffle", "/usr/lib/python3.12/random.py"}, main}},
      {"a library that nothing is known of",
       other,
       S::running,
       {{"dot", "/usr/lib/python3/dist-packages/numpy/core/x.py"}, main}},
      {"such a library alone",
       other,
       S::running,
       {{"run", "/opt/venv/lib/python3.12/site-packages/celery/app.py"}}},
      {"an operator of PyTorch",
       dispatch,
       S::running,
       {{"Linear.forward", "torch/nn/modules/linear.py"},
        {"Module._call_impl", "torch/nn/modules/module.py"},
        main}},
      {"code of the program that PyTorch calls",
       user,
       S::running,
       {{"Net.forward", "model.py"}, {"Module._call_impl", "torch/nn/modules/module.py"}, main}},
      {"the same, and native frames say that it calls an operator",
       dispatch,
       S::running,
       {{"at::_ops::mul::call(at::Tensor const&)", "libtorch_cpu.so|"},
        {"Net.forward", "model.py"},
        {"Module._call_impl", "torch/nn/modules/module.py"}}},
      {"a model that is a library's",
       dispatch,
       S::running,
       {{"GPT2Block.forward", "/venv/lib/python3.11/site-packages/transformers/models/gpt2/m.py"},
        {"Module._call_impl", "torch/nn/modules/module.py"}}},
      {"the program's data set, called by the loader",
       data_loading,
       S::running,
       {{"Images.__getitem__", "data.py"},
        {"_MapDatasetFetcher.fetch", "torch/utils/data/_utils/fetch.py"},
        main}},
      {"what that calls, too",
       data_loading,
       S::running,
       {{"decode", "codec.py"},
        {"Images.__getitem__", "data.py"},
        {"_MapDatasetFetcher.fetch", "torch/utils/data/_utils/fetch.py"}}},
      {"a transform",
       data_loading,
       S::running,
       {{"resize", "/venv/lib/python3.11/site-packages/PIL/Image.py"}, main}},
      {"the optimizer, and what it calls of PyTorch",
       optimizer,
       S::running,
       {{"_group_tensors", "torch/utils/_foreach_utils.py"},
        {"Adam.step", "torch/optim/adam.py"},
        main}},
      {"a closure of the program that the optimizer calls",
       user,
       S::running,
       {{"closure", "train.py"}, {"LBFGS.step", "torch/optim/lbfgs.py"}}},
      {"progress bars",
       logging_and_io,
       S::running,
       {{"tqdm.update", "/venv/lib/python3.11/site-packages/tqdm/std.py"}, main}},
      {"a generator of the program in a progress bar",
       user,
       S::running,
       {{"batches", "train.py"},
        {"tqdm.__iter__", "/venv/lib/python3.11/site-packages/tqdm/std.py"}}},
      {"the collector of garbage, wherever it runs",
       garbage_collection,
       S::running,
       {{"subtract_refs", "/usr/bin/python3.12|"},
        {"_MapDatasetFetcher.fetch", "torch/utils/data/_utils/fetch.py"}}},
      {"the same, where the interpreter says so",
       garbage_collection,
       S::garbage_collection,
       {{"_MapDatasetFetcher.fetch", "torch/utils/data/_utils/fetch.py"}}},
      {"native code of Python's own library",
       user,
       S::running,
       {{"compute", "/usr/lib/python3.11/lib-dynload/_json.cpython-311-x86_64-linux-gnu.so|"},
        main}},
      {"native code of another library",
       other,
       S::running,
       {{"deflate", "/usr/lib/x86_64-linux-gnu/libz.so.1|"}, main}},
      {"a module that is imported",
       other,
       S::running,
       {{"<module>", "torch/_dynamo/config.py"},
        {"_call_with_frames_removed", "<frozen importlib._bootstrap>"},
        main}},
      {"a program that is run by being imported",
       dispatch,
       S::running,
       {{"Linear.forward", "torch/nn/modules/linear.py"},
        main,
        {"_call_with_frames_removed", "<frozen importlib._bootstrap>"}}},
      {"nothing is known", unknown, S::running, {}},

      // In most of these cases, the state of the thread decides the kind, whatever the stack is.
      {"a lock", lock, S::lock, {{"infer", "server.py"}}},
      {"Python's lock", lock, S::interpreter_lock, {main}},
      {"a lock, without a stack", lock, S::lock, {}},
      {"sleep in a data set",
       sleep,
       S::sleeping,
       {{"Images.__getitem__", "data.py"},
        {"_MapDatasetFetcher.fetch", "torch/utils/data/_utils/fetch.py"}}},
      {"a file is read", logging_and_io, S::reading, {main}},
      {"a file is read to make a batch",
       data_loading,
       S::reading,
       {{"Images.__getitem__", "data.py"},
        {"_MapDatasetFetcher.fetch", "torch/utils/data/_utils/fetch.py"}}},
      {"input, which may come from anywhere",
       unknown,
       S::polling,
       {{"EpollSelector.select", "/usr/lib/python3.12/selectors.py"}, main}},
      {"an array is written",
       logging_and_io,
       S::reading,
       {{"save", "/venv/lib/python3.11/site-packages/numpy/lib/_npyio_impl.py"}, main}},
      {"a table is written",
       logging_and_io,
       S::running,
       {{"CSVFormatter._save_body", "/v/lib/python3.11/site-packages/pandas/io/formats/csvs.py"},
        {"DataFrameFormatter.to_csv",
         "/v/lib/python3.11/site-packages/pandas/io/formats/format.py"},
        main}},
      {"a table is read",
       data_loading,
       S::running,
       {{"TextFileReader.read", "/v/lib/python3.11/site-packages/pandas/io/parsers/readers.py"},
        main}},
      {"a data set of arrays is written",
       logging_and_io,
       S::running,
       {{"Dataset.__setitem__", "/v/lib/python3.11/site-packages/h5py/_hl/dataset.py"}, main}},
      {"an array in a file is written",
       logging_and_io,
       S::running,
       {{"Array.__setitem__", "/v/lib/python3.11/site-packages/zarr/core/array.py"}, main}},
      {"an array in a file is read into a buffer",
       data_loading,
       S::running,
       {{"NDBuffer.__setitem__", "/v/lib/python3.11/site-packages/zarr/core/buffer/cpu.py"}, main}},
      {"an image is written",
       logging_and_io,
       S::running,
       {{"Image.save", "/v/lib/python3.11/site-packages/PIL/Image.py"}, main}},
      {"a lock while an image is written",
       lock,
       S::lock,
       {{"Image.save", "/v/lib/python3.11/site-packages/PIL/Image.py"}, main}},
      {"a model of a library for sound",
       other,
       S::running,
       {{"forward", "/v/lib/python3.11/site-packages/torchaudio/models/conformer.py"}, main}},
      {"a batch that is unpickled",
       data_loading,
       S::running,
       {{"rebuild_storage_fd", "torch/multiprocessing/reductions.py"},
        {"_try_get_data", "torch/utils/data/dataloader.py"},
        main}},
      {"a result that is unpickled",
       user,
       S::running,
       {{"_ConnectionBase.recv", "/usr/lib/python3.12/multiprocessing/connection.py"}, main}},
      {"a batch that pinned memory gets, by Python 3.10",
       process_wait,
       S::lock,
       {{"wait", "/usr/lib/python3.10/threading.py"},
        {"get", "/usr/lib/python3.10/queue.py"},
        {"_try_get_data", "torch/utils/data/dataloader.py"}}},
      {"a batch that worker processes make",
       process_wait,
       S::polling,
       {{"wait", "/usr/lib/python3.12/multiprocessing/connection.py"},
        {"_MultiProcessingDataLoaderIter._try_get_data", "torch/utils/data/dataloader.py"}}},
      {"the same through the thread that pins memory",
       process_wait,
       S::lock,
       {{"Condition.wait", "/usr/lib/python3.12/threading.py"},
        {"Queue.get", "/usr/lib/python3.12/queue.py"},
        {"_MultiProcessingDataLoaderIter._try_get_data", "torch/utils/data/dataloader.py"}}},
      {"a process", process_wait, S::child, {main}},
      {"the backward pass, which another thread issues",
       dispatch,
       S::lock,
       {{"_engine_run_backward", "torch/autograd/graph.py"}, main}},
  };
  const KindTable table;
  for (const Case& one : cases) {
    CAPTURE(one.what);
    CHECK(name_of(kind_of(table, one.state, one.stack)) == name_of(one.kind));
  }
}

TEST_CASE("a user's file in a folder with the name of a library is no file of the library") {
  using enum HostKind;
  const KindTable table;
  const auto kind = [&table](const std::string& file) {
    return kind_of(table, ThreadState::running, {{"spin", file.c_str()}});
  };
  for (const char* file :
       {"/home/me/jax/train.py", "jax/train.py", "/home/me/av/train.py", "/home/me/json/train.py",
        "logging/train.py", "/home/b/tokenizers/train.py", "/envs/jax/bin/train.py"}) {
    CAPTURE(file);
    CHECK(kind(file) == user);
  }
  CHECK(kind("/envs/jax/lib/python3.11/site-packages/numpy/lib/function_base.py") == other);
  CHECK(kind("/envs/jax/lib/python3.11/site-packages/jax/_src/core.py") == dispatch);
  CHECK(kind("/usr/lib/python3/dist-packages/PIL/Image.py") == data_loading);
  CHECK(kind("/usr/lib64/python3.12/json/encoder.py") == logging_and_io);
  CHECK(kind("/envs/json/lib/python3.12/random.py") == other);
  CHECK(kind("/venv/lib/python3.12/site-packages/datasets/arrow.py") == data_loading);
  CHECK(kind("/home/me/datasets/arrow.py") == user);
  CHECK(kind("/v/lib/python3.8/site-packages/torch-2.1-py3.8.egg/torch/nn/init.py") == dispatch);
  CHECK(kind("/v/lib/python3.8/site-packages/torch-2.1-py3.8.egg/jax.py") == other);
  CHECK(kind("/opt/pytorch/torch/nn/init.py") == user);
}

TEST_CASE("where paths lack folders, a library is known by the begin of a path") {
  const KindTable table;
  const auto kind = [&table](const char* file) {
    const KindTable::SeenFrame frame =
        table.seen("f", python_module, file, CodeOwner::program, KindTable::Paths::without_folders);
    const KindTable::SeenFrame* const stack[] = {&frame};
    return table.kind_of(ThreadState::unknown, stack).kind;
  };
  CHECK(kind("tqdm/std.py") == HostKind::logging_and_io);
  CHECK(kind("/home/me/tqdm/std.py") == HostKind::user);
  CHECK(kind("train/tqdm/std.py") == HostKind::user);
}

// Kineto also records events that are no Python functions.
TEST_CASE("operators and built-in functions have modules of their own; annotations say nothing") {
  using enum HostKind;
  const KindTable table;
  const auto kind = [&table](const std::vector<std::pair<const char*, std::string_view>>& stack) {
    std::vector<KindTable::SeenFrame> frames;
    for (const auto& [function, module] : stack) {
      const char* const file = module == python_module ? "train.py" : "";
      frames.push_back(table.seen(function, module, file, owner_of(function, module, file)));
    }
    std::vector<const KindTable::SeenFrame*> seen;
    for (const auto& frame : frames) seen.push_back(&frame);
    return table.kind_of(ThreadState::unknown, seen).kind;
  };
  CHECK(kind({{"aten::add", operator_module}}) == dispatch);
  CHECK(kind({{"aten::add", operator_module}, {"step", python_module}}) == dispatch);
  CHECK(kind({{"aten::add", operator_module}, {"## forward ##", annotation_module}}) == dispatch);
  CHECK(kind({{"Tensor.view", builtin_module}, {"step", python_module}}) == dispatch);
  CHECK(kind({{"len", builtin_module}, {"step", python_module}}) == user);
  CHECK(kind({{"mmap", system_module}}) == other);
  CHECK(kind({{"mmap", system_module}, {"step", python_module}}) == user);
  CHECK(kind({{"## forward ##", annotation_module}}) == unknown);
  CHECK(kind({{"## forward ##", annotation_module}, {"step", python_module}}) == user);
  CHECK(kind({{"step", python_module}, {"## forward ##", annotation_module}}) == user);
}

TEST_CASE("rows that are put first decide before those that are known") {
  KindTable table;
  table.put_first({{HostKind::data_loading, {"loader/*"}, {}, {}, {}, KindRow::Reach::below},
                   {HostKind::other, {}, {"helper"}}});
  const auto kind = [&table](const std::vector<Called>& stack) {
    return kind_of(table, ThreadState::running, stack);
  };
  CHECK(kind({{"next", "src/loader/images.py"}}) == HostKind::data_loading);
  CHECK(kind({{"step", "train.py"}, {"next", "src/loader/images.py"}}) == HostKind::data_loading);
  CHECK(kind({{"helper", "train.py"}, {"next", "src/loader/images.py"}}) == HostKind::other);
  CHECK(kind({{"step", "reloader/images.py"}}) == HostKind::user);
}

TEST_CASE("all patterns of a row that are given must fit") {
  KindTable table;
  table.put_first({{HostKind::other, {"a/*.py", "b.py"}, {"f*"}, {"lib*.so"}}});
  const auto fits = [&table](const char* function, const char* module, const char* file) {
    return !table.seen(function, module, file, CodeOwner::program).rows.empty();
  };
  CHECK(fits("f1", "/usr/lib/libx.so", "/x/a/m.py"));
  CHECK(fits("f", "libx.so", "b.py"));
  CHECK_FALSE(fits("g", "libx.so", "b.py"));
  CHECK_FALSE(fits("f", "libx.a", "b.py"));
  CHECK_FALSE(fits("f", "libx.so", "xb.py"));
}

TEST_CASE("the page about host time lists every pattern of the table") {
  std::ifstream file(LAPSCOPE_TEST_DOCS "/host-time.md");
  std::stringstream page;
  page << file.rdbuf();
  const KindTable table;
  for (const KindRow& row : table.rows()) {
    for (const auto* patterns : {&row.files, &row.functions, &row.modules}) {
      for (const std::string& pattern : *patterns) {
        CAPTURE(pattern);
        CHECK(page.str().find("`" + pattern + "`") != std::string::npos);
      }
    }
  }
}

}  // namespace
}  // namespace lapscope::analyzer
