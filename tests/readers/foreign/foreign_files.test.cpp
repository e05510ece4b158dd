#include "readers/foreign/foreign_files.h"

#include <filesystem>
#include <string>

#include "collector/trace/trace_writer.h"
#include "readers/open_trace.h"
#include "readers/trace_format.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

// lapscope refuses files of other tools. The message has the tool's name and a next step.
namespace lapscope::analyzer {
namespace {

using test::TemporaryFolder;

// Returns the message with which lapscope refuses the file, or "" if lapscope accepts it.
std::string said_of(const std::filesystem::path& path) {
  try {
    if (const TraceFormat* format = format_of_source(path)) {
      trace::TraceWriter writer = trace::TraceWriter::unread(schema::Database::unnamed());
      format->file.import(path, writer, nullptr, {});
    } else {
      open_trace(path);
    }
  } catch (const std::exception& error) {
    const std::string said = error.what();
    CHECK(said.starts_with("'" + path.string() + "' "));
    CHECK(said.back() == '.');
    CHECK(said.find('\n') == std::string::npos);
    return said;
  }
  return "";
}

bool names(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

struct ForeignFile {
  const char* name;
  std::string content;
  const char* tool;
  const char* next;
};

TEST_CASE("a file of another tool is known by its name or how it begins", "[foreign]") {
  const ForeignFile cases[] = {
      {"a.nvvp", "<?xml version=\"1.0\"?>", "NVIDIA's Visual Profiler", "`nsys profile`"},
      {"a.qdstrm", "", "raw data from which Nsight Systems makes a report", "QdstrmImporter"},
      {"a.ncu-rep", "", "a report of Nsight Compute", "`lapscope record"},
      {"renamed", std::string("NVR\0\1", 5), "a report of Nsight Compute", "`lapscope record"},
      {"a.parquet", "PAR1", "a Parquet file", "nsys export --type sqlite"},
      {"a.arrow", "ARROW1", "an Arrow file", "nsys export --type sqlite"},
      {"a.h5", "\x89HDF\r\n", "an HDF5 file", "nsys export --type sqlite"},
      {"sum.csv", "Time (%),Total Time (ns),Instances\n", "`nsys stats`", "nsys export"},
      {"log.txt", "==71== NVPROF is profiling process 71\n", "output of nvprof", "`nsys profile`"},
      {"a.csv", "==71== Profiling result:\n\"Start\"\n", "output of nvprof", "`nsys profile`"},
      {"k.csv", "\"Kind\",\"Agent_Id\",\"Queue_Id\"\n", "rocprofv3", "PyTorch's profiler"},
      {"r.csv", "\"Index\",\"KernelName\",\"gpu-id\"\n", "AMD's rocprof.", "PyTorch's profiler"},
      {"s.csv", "\"Name\",\"Calls\",\"TotalDurationNs\"\n", "AMD's rocprof.", "PyTorch's profiler"},
      {"r.pftrace", "\x0a\x10", "rocprofv3", "PyTorch's profiler"},
  };
  const TemporaryFolder folder;
  for (const ForeignFile& one : cases) {
    INFO(one.name);
    test::write_file(folder / one.name, one.content);
    const std::string said = said_of(folder / one.name);
    CHECK(names(said, std::string(one.tool).substr(0, std::string(one.tool).find('.'))));
    CHECK(names(said, ": lapscope does not read it. "));
    CHECK(names(said, one.next));
  }
}

TEST_CASE("JSON of another tool is known by its keys", "[foreign]") {
  const ForeignFile cases[] = {
      {"3.json", R"({"rocprofiler-sdk-tool": [{}]})", "rocprofv3", "PyTorch's profiler"},
      {"1.json", R"({"traceEvents": [{"args": {"name": "0 CPU HIP API"}}]})", "AMD's rocprof",
       "PyTorch's profiler"},
      {"h.json", R"({"traceEvents": [{"args": {"name": "0 CPU HSA API"}}]})", "AMD's rocprof",
       "PyTorch's profiler"},
      {"n.json", R"([{"name": "process_name", "args": {"name": "Ascend Hardware"}}])", "Huawei",
       "its vendor"},
      {"c.jsonl", R"({"Type": 80, "CudaEvent":{"startNs": "1"}})", "JSON of Nsight Systems",
       "nsys export --type sqlite"},
      {"x.jsonl", R"({"Type": 59, "NvtxEvent":{"Type": 59}})", "JSON of Nsight Systems",
       "nsys export --type sqlite"},
  };
  const TemporaryFolder folder;
  for (const ForeignFile& one : cases) {
    INFO(one.name);
    test::write_file(folder / one.name, one.content);
    const std::string said = said_of(folder / one.name);
    CHECK(names(said, one.tool));
    CHECK(names(said, one.next));
  }
  test::write_file(folder / "other.json", R"({"traceEvents": [{"name": "a"}]})");
  CHECK(names(said_of(folder / "other.json"), "The meaning of its events is unknown."));
}

TEST_CASE("a database of another tool is known by its tables", "[foreign]") {
  const ForeignFile cases[] = {
      {"nvprof", "CREATE TABLE StringTable(v); CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(v)",
       "nvprof", "`nsys profile`"},
      {"kernels", "CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL(v)", "nvprof",
       "`nsys profile`"},
      // Only the table identifies the tool. lapscope does not look at views of foreign files.
      {"rocpd",
       "CREATE TABLE rocpd_kernel_dispatch_1(v); CREATE VIEW rocpd_string AS SELECT * FROM "
       "rocpd_kernel_dispatch_1",
       "rocprofv3", "PyTorch's profiler"},
      {"hip", "CREATE TABLE OPS(v); CREATE TABLE HIP(v)", "AMD's rocprof", "PyTorch's profiler"},
      {"hsa", "CREATE TABLE OPS(v); CREATE TABLE HSA(v)", "AMD's rocprof", "PyTorch's profiler"},
      {"broken", "CREATE TABLE StringIds(v); CREATE TABLE TARGET_INFO_GPU(v)", "was broken off",
       "nsys export --type sqlite"},
      {"begun", "CREATE TABLE StringIds(v); CREATE TABLE ProcessStreams(v)", "was broken off",
       "nsys export --type sqlite"},
  };
  const TemporaryFolder folder;
  for (const ForeignFile& one : cases) {
    INFO(one.name);
    schema::Database(folder / one.name, schema::Database::Mode::create).execute(one.content);
    const std::string said = said_of(folder / one.name);
    CHECK(names(said, one.tool));
    CHECK(names(said, one.next));
  }
  schema::Database(folder / "other", schema::Database::Mode::create)
      .execute("CREATE TABLE OPS(v); CREATE TABLE StringIds(v)");
  CHECK(names(said_of(folder / "other"), "neither a lapscope trace nor an Nsight Systems export"));
}

TEST_CASE("a folder that a tool exports is known by what lies in it", "[foreign]") {
  const TemporaryFolder folder;
  const auto with = [&folder](const std::string& name, const char* file) {
    std::filesystem::create_directories((folder / (name + "/" + file)).parent_path());
    test::write_file(folder / (name + "/" + file), "");
    return said_of(folder / name);
  };
  const std::string parquet = with("run_pqtdir", "CUPTI_ACTIVITY_KIND_KERNEL.parquet");
  CHECK(names(parquet, "is a folder of Parquet files, as Nsight Systems exports them"));
  CHECK(names(parquet, "`nsys export --type sqlite -o FILE.sqlite REPORT`"));
  CHECK(names(with("logs", "plugins/profile/1/a.xplane.pb"), "FOLDER/plugins/profile/"));
  CHECK(names(with("one", "a.xplane.pb"), "Name the file in it"));
  CHECK(names(with("mine", "a.txt"), "is a folder, not a trace."));
}

TEST_CASE("work of an accelerator that is no GPU is named", "[foreign]") {
  const TemporaryFolder folder;
  const auto said = [&folder](const std::string& categories) {
    std::string events;
    for (const char category : categories) {
      const char* name = category == 'm'   ? "mtia_runtime"
                         : category == 'h' ? "hpu_op"
                         : category == 'p' ? "privateuse1_runtime"
                         : category == 'k' ? "kernel"
                                           : "cpu_op";
      events += std::string(events.empty() ? "" : ",") + R"({"ph": "X", "cat": ")" + name +
                R"(", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1})";
    }
    test::write_file(folder / "a.json", R"({"schemaVersion": 1, "traceEvents": [)" + events + "]}");
    return said_of(folder / "a.json");
  };
  CHECK(names(said("cm"), "has the work of an MTIA, and none of a GPU"));
  CHECK(names(said("h"), "an Intel Gaudi (HPU)"));
  CHECK(names(said("pc"), "PrivateUse1"));
  CHECK(said("mk").empty());  // the file also has a GPU
  CHECK(said("c").empty());
  CHECK(names(foreign_accelerator("/device:TPU:0").value_or(""), "a TPU"));
  CHECK_FALSE(foreign_accelerator("/device:GPU:0"));
}

}  // namespace
}  // namespace lapscope::analyzer
