#include "readers/foreign/foreign_files.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <system_error>

namespace lapscope::analyzer {
namespace {

namespace fs = std::filesystem;

// A mark is a text that identifies the files of a tool. A sign is the place in a file or folder
// where the marks must be.
enum class Sign {
  name,    // the file name ends with the mark
  begins,  // the file's bytes begin with the mark
  json,    // the file is JSON, and its first 64 KiB contain the mark
  text,    // the file is not JSON, and its first 64 KiB contain the mark
  tables,  // the name of a table begins with the mark
  folder,  // the name of a folder entry ends with the mark
};

struct Foreign {
  Sign sign;
  std::array<std::string_view, 2> marks;  // all must be found; empty marks are ignored
  std::string_view what;
  std::string_view next;
};

constexpr std::string_view record_again =
    "Record the program with `lapscope record -o FILE -- APP`, or with `nsys profile`.";
constexpr std::string_view export_again =
    "Export the report as SQLite: `nsys export --type sqlite -o FILE.sqlite REPORT`.";
constexpr std::string_view amd =
    "For AMD GPUs, lapscope reads exports of PyTorch's profiler and of XProf.";
constexpr std::string_view import_first =
    "Make a report of it (`QdstrmImporter -i FILE.qdstrm`), and export that: `nsys export --type "
    "sqlite -o FILE.sqlite REPORT`.";
constexpr std::string_view name_the_file =
    "Name the file in it: `FOLDER/plugins/profile/TIME/HOST.xplane.pb`.";
constexpr std::string_view other_export =
    "lapscope reads nothing of PyTorch on this accelerator. Use the tools of its vendor.";

// The files of all known tools. If several rows match a file, the first of these rows applies.
constexpr Foreign table[] = {
    {Sign::tables,
     {"CUPTI_ACTIVITY_KIND_", "StringTable"},
     "a database of nvprof, which CUDA no longer has",
     record_again},
    {Sign::tables,
     {"CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL"},
     "a database of nvprof, which CUDA no longer has",
     record_again},
    {Sign::tables, {"rocpd_"}, "a database of AMD's rocprofv3 or rpd", amd},
    {Sign::tables, {"OPS", "HIP"}, "a database of AMD's rocprof", amd},
    {Sign::tables, {"OPS", "HSA"}, "a database of AMD's rocprof", amd},
    {Sign::tables,
     {"StringIds", "TARGET_INFO_"},
     "an export of Nsight Systems that was broken off (it has no activity and no session)",
     export_again},
    {Sign::tables,
     {"StringIds", "ProcessStreams"},
     "an export of Nsight Systems that was broken off (it has no activity and no session)",
     export_again},
    {Sign::name, {".nvvp"}, "a session of NVIDIA's Visual Profiler", record_again},
    {Sign::name, {".qdstrm"}, "raw data from which Nsight Systems makes a report", import_first},
    {Sign::name,
     {".ncu-rep"},
     "a report of Nsight Compute, which has no start times of kernels",
     record_again},
    {Sign::begins,
     {"NVR"},
     "a report of Nsight Compute, which has no start times of kernels",
     record_again},
    {Sign::begins, {"PAR1"}, "a Parquet file, as Nsight Systems exports many", export_again},
    {Sign::begins, {"ARROW1"}, "an Arrow file, as Nsight Systems exports them", export_again},
    {Sign::begins, {"\x89HDF"}, "an HDF5 file, as Nsight Systems exports them", export_again},
    {Sign::begins,
     {"Time (%),Total Time (ns)"},
     "a table of `nsys stats`, which has sums and no times",
     export_again},
    {Sign::text,
     {"NVPROF is profiling"},
     "output of nvprof, which CUDA no longer has",
     record_again},
    {Sign::text,
     {"== Profiling result:"},
     "output of nvprof, which CUDA no longer has",
     record_again},
    {Sign::begins, {"\"Kind\",\"Agent_Id\""}, "a table of AMD's rocprofv3", amd},
    {Sign::begins, {"\"Index\",\"KernelName\""}, "a table of AMD's rocprof", amd},
    {Sign::begins, {"\"Name\",\"Calls\",\"TotalDurationNs\""}, "a table of AMD's rocprof", amd},
    {Sign::name, {".pftrace"}, "a trace for Perfetto, as AMD's rocprofv3 writes them", amd},
    {Sign::json, {"\"rocprofiler-sdk-tool\""}, "JSON of AMD's rocprofv3", amd},
    {Sign::json, {"CPU HIP API"}, "JSON of AMD's rocprof", amd},
    {Sign::json, {"CPU HSA API"}, "JSON of AMD's rocprof", amd},
    {Sign::json, {"Ascend Hardware"}, "JSON of Huawei's profiler of NPUs", other_export},
    {Sign::json, {"\"CudaEvent\":{"}, "JSON of Nsight Systems", export_again},
    {Sign::json, {"\"NvtxEvent\":{"}, "JSON of Nsight Systems", export_again},
    {Sign::folder,
     {".parquet"},
     "a folder of Parquet files, as Nsight Systems exports them",
     export_again},
    {Sign::folder, {"plugins"}, "a folder of XProf or TensorBoard", name_the_file},
    {Sign::folder, {".xplane.pb"}, "a folder of XProf", "Name the file in it: `HOST.xplane.pb`."},
};

struct Accelerator {
  std::string_view begins;
  std::string_view name;
};
constexpr Accelerator accelerators[] = {
    {"mtia_", "an MTIA"},
    {"hpu", "an Intel Gaudi (HPU)"},
    {"async_npu", "a Huawei Ascend NPU"},
    {"privateuse1_", "an accelerator that PyTorch calls PrivateUse1"},
    {"glow_", "an accelerator of Glow"},
    {"/device:TPU:", "a TPU"},
    {"/device:CUSTOM:", "an accelerator that XProf calls custom"},
};

template <class Fits>
std::optional<std::string> find(std::initializer_list<Sign> signs, Fits&& fits) {
  for (const Foreign& row : table) {
    if (std::find(signs.begin(), signs.end(), row.sign) == signs.end()) continue;
    const bool is_it = std::all_of(row.marks.begin(), row.marks.end(), [&](std::string_view mark) {
      return mark.empty() || fits(row.sign, mark);
    });
    if (!is_it) continue;
    return "is " + std::string(row.what) + ": lapscope does not read it. " + std::string(row.next);
  }
  return std::nullopt;
}

std::optional<std::string> foreign_folder(const fs::path& path) {
  constexpr int most = 10'000;
  std::set<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    names.insert(entry->path().filename().string());
    if (names.size() >= most) break;
  }
  return find({Sign::folder}, [&names](Sign, std::string_view mark) {
    return std::any_of(names.begin(), names.end(),
                       [mark](const std::string& name) { return name.ends_with(mark); });
  });
}

}  // namespace

std::optional<std::string> foreign_file(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return foreign_folder(path);
  const std::string begin = beginning_of(path, 1 << 16);
  const std::string name = path.filename().string();
  return find({Sign::name, Sign::begins, Sign::text}, [&](Sign sign, std::string_view mark) {
    if (sign == Sign::name) return std::string_view(name).ends_with(mark);
    if (sign == Sign::begins) return std::string_view(begin).starts_with(mark);
    return begin.find(mark) != std::string::npos;
  });
}

std::optional<std::string> foreign_database(schema::Database& database) {
  constexpr std::string_view names =
      "SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 10000";
  std::set<std::string> tables;
  schema::Statement statement(database, names);
  while (statement.step()) tables.emplace(statement.text(0));
  return find({Sign::tables}, [&tables](Sign, std::string_view mark) {
    const auto first = tables.lower_bound(std::string(mark));
    return first != tables.end() && first->starts_with(mark);
  });
}

std::optional<std::string> foreign_json(std::string_view begin) {
  return find({Sign::json}, [begin](Sign, std::string_view mark) {
    return begin.find(mark) != std::string_view::npos;
  });
}

std::optional<std::string> foreign_accelerator(std::string_view mark) {
  for (const Accelerator& one : accelerators) {
    if (!mark.starts_with(one.begins)) continue;
    return "has the work of " + std::string(one.name) +
           ", and none of a GPU: lapscope analyzes GPUs alone. Use the tools of that accelerator, "
           "or record a run on a GPU.";
  }
  return std::nullopt;
}

bool has_bytes(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && fs::file_size(path, error) > 0 && !error;
}

std::string beginning_of(const fs::path& path, std::size_t most) {
  if (!has_bytes(path)) return {};
  std::string begin(most, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  return begin;
}

}  // namespace lapscope::analyzer
