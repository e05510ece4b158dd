#include "analyzer/host_time/host_kinds.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "analyzer/model/name_pattern.h"

namespace lapscope::analyzer {
namespace {

using Reach = KindRow::Reach;
using Patterns = std::vector<std::string>;
using enum HostKind;

const Patterns& data_files() {
  static const Patterns files = {"torch/utils/data/*",
                                 "torchdata/*",
                                 "torchvision/transforms/*",
                                 "torchvision/datasets/*",
                                 "torchvision/io/*",
                                 "torchaudio/datasets/*",
                                 "torchaudio/transforms/*",
                                 "torchaudio/io/*",
                                 "torchaudio/backend/*",
                                 "torchaudio/_backend/*",
                                 "torchaudio/_torchcodec.py",
                                 "torchcodec/*",
                                 "PIL/*",
                                 "cv2/*",
                                 "imageio/*",
                                 "skimage/*",
                                 "albumentations/*",
                                 "decord/*",
                                 "av/*",
                                 "librosa/*",
                                 "soundfile.py",
                                 "tensorflow/python/data/*",
                                 "tensorflow_datasets/*",
                                 "grain/*",
                                 "nvidia/dali/*",
                                 "webdataset/*",
                                 "streaming/base/*",
                                 "site-packages/datasets/*",
                                 "dist-packages/datasets/*",
                                 "transformers/data/*",
                                 "transformers/tokenization_*",
                                 "transformers/image_processing_*",
                                 "tokenizers/*",
                                 "h5py/*",
                                 "zarr/*",
                                 "pyarrow/*",
                                 "pandas/io/*",
                                 "numpy/lib/npyio.py",
                                 "numpy/lib/_npyio_impl.py"};
  return files;
}

// Returns patterns of files that have functions for loading data and functions for saving data.
const Patterns& written_files() {
  static const Patterns files = {"torchvision/io/*",
                                 "torchaudio/*",
                                 "PIL/*",
                                 "imageio/*",
                                 "skimage/io/*",
                                 "soundfile.py",
                                 "h5py/*",
                                 "zarr/*",
                                 "pyarrow/*",
                                 "pandas/io/*",
                                 "numpy/lib/npyio.py",
                                 "numpy/lib/_npyio_impl.py"};
  return files;
}

// Returns the built-in rows. If several rows with the same Reach fit a stack, the first one
// decides.
std::vector<KindRow> usual_rows() {
  const std::vector<ThreadState> waits = {ThreadState::lock, ThreadState::polling};
  const std::vector<ThreadState> waits_or_reads = {ThreadState::lock, ThreadState::polling,
                                                   ThreadState::reading};
  const std::vector<ThreadState> works = {ThreadState::running, ThreadState::reading,
                                          ThreadState::uninterruptible, ThreadState::unknown};
  return {
      // Waits for the backward pass, which another thread issues.
      {dispatch,
       {"torch/autograd/graph.py", "torch/autograd/__init__.py"},
       {"_engine_run_backward", "backward", "grad"},
       {},
       waits,
       Reach::anywhere},
      // Waits for batches from worker processes.
      {process_wait,
       {"torch/utils/data/dataloader.py"},
       {"*_try_get_data"},
       {},
       waits_or_reads,
       Reach::anywhere},
      // PyTorch's profiler has another name for the wait for batches, and records no thread states.
      {process_wait,
       {"torch/utils/data/dataloader.py"},
       {"_MultiProcessingDataLoaderIter.__next__"},
       {},
       {},
       Reach::anywhere},
      {process_wait,
       {"multiprocessing/connection.py", "multiprocessing/popen_*", "multiprocessing/pool.py",
        "multiprocessing/queues.py", "multiprocessing/synchronize.py", "torch/multiprocessing/*",
        "subprocess.py", "concurrent/futures/process.py"},
       {},
       {},
       waits_or_reads,
       Reach::anywhere},
      {garbage_collection, {}, {}, {}, {ThreadState::garbage_collection}, Reach::anywhere},
      {garbage_collection,
       {},
       {"gc_collect_*", "_PyGC_*", "PyGC_Collect", "deduce_unreachable", "update_refs",
        "subtract_refs", "visit_decref", "visit_reachable", "move_unreachable", "delete_garbage"},
       {"libpython*", "python*"},
       {},
       Reach::anywhere},
      // Functions that write data. The files of these functions also have functions that load data.
      {logging_and_io, {"pandas/io/formats/*"}, {}, {}, works, Reach::first},
      {logging_and_io,
       written_files(),
       {"*save*", "*write*", "to_*", "*.to_*"},
       {},
       works,
       Reach::first},
      // In the other files of zarr, __setitem__ fills buffers when zarr reads.
      {logging_and_io,
       {"h5py/*", "zarr/core.py", "zarr/core/array.py"},
       {"*__setitem__"},
       {},
       works,
       Reach::first},
      {data_loading,
       data_files(),
       {},
       {},
       {ThreadState::reading, ThreadState::uninterruptible},
       Reach::anywhere},
      // Importing a library is not the kind of work that the library does.
      {other, {"<frozen importlib*"}, {}, {}, {}, Reach::first},
      {lock, {}, {}, {}, {ThreadState::lock, ThreadState::interpreter_lock}, Reach::anywhere},
      {sleep, {}, {}, {}, {ThreadState::sleeping}, Reach::anywhere},
      {process_wait, {}, {}, {}, {ThreadState::child}, Reach::anywhere},
      {logging_and_io, {}, {}, {}, {ThreadState::reading}, Reach::anywhere},
      // A thread that polls may wait for input from anywhere, or have nothing to do.
      {unknown, {}, {}, {}, {ThreadState::polling}, Reach::anywhere},

      {data_loading, data_files(), {}, {}, {}, Reach::below},
      {optimizer,
       {"torch/optim/*", "torch/nn/utils/clip_grad.py", "torch/amp/grad_scaler.py",
        "torch/cuda/amp/grad_scaler.py", "apex/optimizers/*", "bitsandbytes/optim/*",
        "transformers/optimization.py", "optax/*", "keras/*/optimizers/*"}},
      {logging_and_io,
       {"logging/*", "tqdm/*", "rich/*", "json/*", "csv.py", "pickle.py", "yaml/*",
        "torch/serialization.py", "torch/utils/tensorboard/*", "tensorboard/*", "tensorboardX/*",
        "wandb/*", "mlflow/*", "lightning/pytorch/loggers/*", "pytorch_lightning/loggers/*",
        "lightning/pytorch/callbacks/progress/*", "pytorch_lightning/callbacks/progress/*",
        "safetensors/*"}},
      {process_wait,
       {"multiprocessing/*", "torch/multiprocessing/*", "subprocess.py",
        "concurrent/futures/process.py"},
       {},
       {},
       {ThreadState::unknown, ThreadState::other}},
      {dispatch,
       {"torch/_*",
        "torch/nn/*",
        "torch/functional.py",
        "torch/autograd/*",
        "torch/amp/*",
        "torch/cuda/*",
        "torch/distributed/*",
        "torch/fx/*",
        "torch/jit/*",
        "torch/linalg/*",
        "torch/fft/*",
        "torch/special/*",
        "torch/distributions/*",
        "torch/utils/checkpoint.py",
        "torch/utils/_device.py",
        "torch/random.py",
        "triton/*",
        "cupy/*",
        "cupyx/*",
        "jax/*",
        "jaxlib/*",
        "flax/*",
        "haiku/*",
        "equinox/*",
        "tensorflow/python/*",
        "keras/*",
        "numba/cuda/*",
        "numba_cuda/*",
        "transformer_engine/*",
        "flash_attn/*",
        "xformers/*"},
       {},
       {},
       {}},
      {dispatch, {}, {"at::*", "c10::*", "torch::*", "cupy_*", "xla::*", "jax::*"}, {}, {}},
      {dispatch, {}, {"Tensor.*", "Parameter.*"}, {"[built-in]"}, {}},
      {dispatch, {}, {}, {"libtorch*", "libc10*", "libjax*", "xla_extension*", "[operator]"}, {}},
      {data_loading,
       {},
       {},
       {"libjpeg*", "libturbojpeg*", "libpng*", "libwebp*", "libopencv*", "cv2*.so",
        "_imaging*.so"},
       {},
       Reach::below},
  };
}

// Whether a path fits a pattern. The pattern may leave out leading folders.
bool fits_file(std::string_view file, const std::string& pattern) {
  return fits_pattern(file, pattern) || fits_pattern(file, "*/" + pattern);
}

// Returns the position behind the folder of libraries in a path. For example, returns the position
// of "torch" in /venv/lib/python3.12/site-packages/torch/nn/init.py. A folder such as torch-2.1.egg
// counts as part of the folder of libraries. Returns npos if the path has no folder of libraries.
std::size_t start_in_libraries(std::string_view file) {
  std::size_t start = std::string_view::npos;
  for (const std::string_view folder :
       {"/site-packages/", "/dist-packages/", "/lib/python3.", "/lib64/python3."}) {
    const std::size_t found = file.rfind(folder);
    if (found == std::string_view::npos) continue;
    const std::size_t slash = file.find('/', found + folder.size() - 1);
    if (slash == std::string_view::npos) continue;
    if (start == std::string_view::npos || slash + 1 > start) start = slash + 1;
  }
  if (start == std::string_view::npos) return start;
  const std::size_t next = file.find('/', start);
  const bool is_egg = next != std::string_view::npos && file.substr(0, next).ends_with(".egg");
  return is_egg ? next + 1 : start;
}

// Whether a file belongs to the library that a pattern names. A folder of the same name elsewhere
// in the path, such as /envs/jax, does not count. A folder of the program does not count either.
bool fits_library(std::string_view file, CodeOwner owner, KindTable::Paths paths,
                  const std::string& pattern) {
  const std::size_t start = start_in_libraries(file);
  if (start != std::string_view::npos) {
    const std::size_t folder = file.rfind('/', start - 2) + 1;
    return fits_pattern(file.substr(start), pattern) || fits_pattern(file.substr(folder), pattern);
  }
  if (owner != CodeOwner::program) return fits_file(file, pattern);
  return paths == KindTable::Paths::without_folders && fits_pattern(file, pattern);
}

template <class F>
bool any_or_none(const Patterns& patterns, F&& fits) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), fits);
}

}  // namespace

std::string_view name_of(HostKind kind) {
  constexpr std::string_view names[] = {
      "data_loading",   "dispatch", "optimizer",    "garbage_collection",
      "logging_and_io", "lock",     "process_wait", "sleep",
      "user",           "other",    "unknown"};
  static_assert(std::size(names) == host_kinds);
  return names[static_cast<std::size_t>(kind)];
}

bool KindRow::is_for(ThreadState state) const {
  return states.empty() || std::find(states.begin(), states.end(), state) != states.end();
}

bool KindRow::fits_code(std::string_view function, std::string_view module) const {
  const auto fits_text = [](std::string_view text) {
    return [text](const std::string& pattern) { return fits_pattern(text, pattern); };
  };
  return any_or_none(functions, fits_text(function)) &&
         any_or_none(modules, fits_text(file_name(module)));
}

KindTable::KindTable() : rows_(usual_rows()) {}

void KindTable::put_first(std::vector<KindRow> rows) {
  own_rows_ += rows.size();
  rows_.insert(rows_.begin(), std::make_move_iterator(rows.begin()),
               std::make_move_iterator(rows.end()));
}

KindTable::SeenFrame KindTable::seen(std::string_view function, std::string_view module,
                                     std::string_view file, CodeOwner owner, Paths paths) const {
  SeenFrame frame{{}, owner, module == python_module, false, module == annotation_module};
  frame.is_standard = frame.is_python ? fits_file(file, "lib/python3.*") &&
                                            !fits_file(file, "site-packages/*") &&
                                            !fits_file(file, "dist-packages/*")
                                      : fits_pattern(module, "*/lib-dynload/*");
  const std::string bare = frame.is_python ? std::string(function) : bare_function(function);
  for (std::uint32_t row = 0; row < rows_.size(); ++row) {
    const KindRow& one = rows_[row];
    if (!one.has_patterns() || !one.fits_code(bare, module)) continue;
    const auto fits = [&](const std::string& pattern) {
      return row < own_rows_ ? fits_file(file, pattern) : fits_library(file, owner, paths, pattern);
    };
    if (any_or_none(one.files, fits)) frame.rows.push_back(row);
  }
  return frame;
}

bool KindTable::is_dispatch(std::string_view function, std::string_view module) const {
  const SeenFrame frame = seen(function, module, "", CodeOwner::runtime);
  return std::any_of(frame.rows.begin(), frame.rows.end(),
                     [this](std::uint32_t row) { return rows_[row].kind == HostKind::dispatch; });
}

KindTable::Found KindTable::kind_of(ThreadState state,
                                    std::span<const SeenFrame* const> frames) const {
  const auto first_of = [&](std::uint32_t row) {
    for (std::uint32_t i = 0; i < frames.size(); ++i) {
      if (frames[i]->is_annotation) continue;
      const bool is_program = frames[i]->owner == CodeOwner::program;
      if (is_program && rows_[row].reach == Reach::first) break;
      const std::vector<std::uint32_t>& rows = frames[i]->rows;
      if (std::binary_search(rows.begin(), rows.end(), row)) return i;
    }
    return no_frame;
  };
  for (std::uint32_t row = 0; row < rows_.size(); ++row) {
    const KindRow& one = rows_[row];
    if (!one.goes_first() || !one.is_for(state)) continue;
    if (!one.has_patterns()) return {one.kind};
    if (const std::uint32_t frame = first_of(row); frame != no_frame) return {one.kind, frame};
  }
  const auto innermost = [&](bool is_python) -> std::optional<Found> {
    bool is_below_program = false;
    for (std::uint32_t i = 0; i < frames.size(); ++i) {
      const SeenFrame& frame = *frames[i];
      if (frame.is_python != is_python || frame.is_annotation) continue;
      for (const std::uint32_t row : frame.rows) {
        const KindRow& one = rows_[row];
        const bool reaches = one.reach == Reach::below || !is_below_program;
        if (!one.goes_first() && reaches && one.is_for(state)) {
          return Found{one.kind, i};
        }
      }
      is_below_program |= frame.owner == CodeOwner::program;
    }
    return std::nullopt;
  };
  if (const auto found = innermost(true)) return *found;
  if (const auto found = innermost(false)) return *found;
  HostKind kind = unknown;
  for (const SeenFrame* frame : frames) {
    if (frame->is_annotation) continue;
    if (frame->owner == CodeOwner::program) return {user};
    kind = other;
    if (frame->owner == CodeOwner::library && !frame->is_standard) break;
  }
  return {kind};
}

}  // namespace lapscope::analyzer
