#include <algorithm>

#include "analyzer/analysis/analyze.h"
#include "analyzer/reader/read_trace.h"
#include "tests/analyzer/support/export_file.h"
#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"

// What exports of Nsight Systems say in other ways than traces of lapscope, release by release.
namespace lapscope::analyzer {
namespace {

using test::ExportFile;
using test::NsysRelease;
using test::TemporaryFolder;

constexpr std::int64_t ms = 1'000'000;

// What a call to `fill` puts into an export of a release, as a trace.
template <class Fill>
Trace read_export(NsysRelease release, Fill&& fill) {
  const TemporaryFolder folder;
  {
    ExportFile file(folder / "e.sqlite", release);
    fill(file);
  }
  return read_trace(folder / "e.sqlite");
}

const HealthRow* row_of(const std::vector<HealthRow>& health, std::string_view code) {
  const auto found = std::find_if(health.begin(), health.end(),
                                  [code](const HealthRow& row) { return row.code == code; });
  return found == health.end() ? nullptr : &*found;
}

CausesResult causes_of(const Trace& trace) {
  AnalyzeOptions options;
  options.focus = Focus::whole;
  const Report report = analyze(trace, options);
  REQUIRE(report.devices.size() == 1);
  return report.devices[0].scope.causes.value();
}

std::int64_t blamed(const CausesResult& causes, std::string_view code) {
  for (const BlameRow& row : causes.blame) {
    if (row.code == code) return row.ns;
  }
  return 0;
}

TEST_CASE("every release names itself and its GPU") {
  const auto one_kernel = [](ExportFile& file) {
    file.kernel("k", 10 * ms, 20 * ms, file.call("cudaLaunchKernel_v7000", 1 * ms, 1 * ms + 5'000));
  };
  for (const NsysRelease release :
       {NsysRelease::r2020, NsysRelease::r2022, NsysRelease::r2024, NsysRelease::r2026}) {
    const Trace trace = read_export(release, one_kernel);
    REQUIRE(trace.devices.size() == 1);
    const Device& device = trace.devices[0];
    CHECK(device.name == "Some GPU");
    CHECK(device.limits.multiprocessors == 80);
    CHECK(device.limits.copy_engines == (release == NsysRelease::r2020 ? 7 : 2));
    REQUIRE(device.streams.size() == 2);
    CHECK(device.streams[0].kind == StreamKind::legacy_default);
    CHECK(device.streams[1].kind ==
          (release == NsysRelease::r2020 ? StreamKind::unknown : StreamKind::non_blocking));
    CHECK(row_of(trace.health, "missing-table") == nullptr);
  }
  CHECK(read_export(NsysRelease::r2020, one_kernel).facts.format == "nsys/unknown");
  CHECK(read_export(NsysRelease::r2022, one_kernel).facts.format == "nsys/2.9.1");
  CHECK(read_export(NsysRelease::r2022, one_kernel).facts.recorder == "Nsight Systems 2022.2.1.31");
}

// The export numbers GPUs as the driver found them, and ops have CUDA's numbers.
TEST_CASE("an op ran on the GPU that has its number in CUDA, whatever row of the table that is") {
  const auto two_gpus = [](ExportFile& file) {
    file.sql(
        "UPDATE TARGET_INFO_GPU SET cuDevice = 1;"
        "INSERT INTO TARGET_INFO_GPU VALUES (1, 1, 'Other GPU', 0, 34, 32, 48, 24, 65536,"
        "  102400, 1);");
    file.kernel("k", 10 * ms, 20 * ms, 0);
  };
  CHECK(read_export(NsysRelease::r2022, two_gpus).devices.at(0).name == "Other GPU");
  const Trace numbered = read_export(NsysRelease::r2026, [&](ExportFile& file) {
    two_gpus(file);
    file.sql(
        "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER);"
        "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 100), (1, 1, 100);");
  });
  CHECK(numbered.devices.at(0).name == "Some GPU");
  // Two processes, each with another GPU as its first.
  const Trace contradicting = read_export(NsysRelease::r2026, [&](ExportFile& file) {
    two_gpus(file);
    file.sql(
        "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER);"
        "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 100), (1, 0, 200);");
  });
  CHECK(contradicting.devices.at(0).name.empty());
  CHECK(contradicting.devices.at(0).limits.multiprocessors == 0);
}

//   thread     l.sssssssssssl.s..      l launches, s waits for the device: which is at work
//   stream 13  .KKKKKKKKKKKKK.KK
TEST_CASE("a wait that ends with the op that it waits for is that op's work, in every release") {
  const auto waiting = [](std::int64_t type) {
    return [type](ExportFile& file) {
      for (std::int64_t i = 0; i < 4; ++i) {
        const std::int64_t begin = i * 12 * ms;
        const std::int64_t launch = file.call("cudaLaunchKernel_v7000", begin, begin + 5'000);
        file.kernel("k", begin + 8'000, begin + 11 * ms, launch);
        file.wait(file.call("cudaDeviceSynchronize_v3020", begin + 20'000, begin + 11 * ms + 5'000),
                  type);
      }
    };
  };
  const std::vector<std::pair<NsysRelease, std::int64_t>> types = {
      {NsysRelease::r2022, 1}, {NsysRelease::r2024, 0}, {NsysRelease::r2026, 4}};
  for (const auto& [release, type] : types) {
    const Trace trace = read_export(release, waiting(type));
    REQUIRE(trace.synchronizations.size() == 4);
    CHECK(trace.synchronizations[0].kind == SyncKind::context);
    const CausesResult causes = causes_of(trace);
    CHECK(blamed(causes, "compute") > 43 * ms);
    CHECK(blamed(causes, "host-sync") < 1 * ms);
  }
}

TEST_CASE("where records of events are not numbered, a wait is for the latest one before it") {
  const Trace trace = read_export(NsysRelease::r2022, [](ExportFile& file) {
    for (std::int64_t i = 0; i < 2; ++i) {
      file.record_event(file.call("cudaEventRecord_v3020", i * 100, i * 100 + 10), 1);
      file.wait(file.call("cudaEventSynchronize_v3020", i * 100 + 20, i * 100 + 30), 2, 1);
    }
    file.kernel("k", 300, 400, 0);
  });
  REQUIRE(trace.event_records.size() == 2);
  REQUIRE(trace.synchronizations.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(trace.synchronizations[i].kind == SyncKind::event);
    CHECK(trace.synchronizations[i].event_sync == trace.event_records[i].event_sync);
  }
  CHECK(trace.event_records[0].event_sync != trace.event_records[1].event_sync);
}

//   thread     lr.eeeeeeeeeee    the event after K, of which there is no record: the wait ends
//   stream 13  .KKKKKKKKKKKKK    with K, and nothing else of the process runs
TEST_CASE("a wait for an event that nobody recorded is for what ended with it") {
  const Trace trace = read_export(NsysRelease::r2024, [](ExportFile& file) {
    for (std::int64_t i = 0; i < 2; ++i) {
      const std::int64_t at = i * 20 * ms;
      file.kernel("k", at + 8'000, at + 19 * ms,
                  file.call("cudaLaunchKernel_v7000", at, at + 5'000));
      file.call("cudaEventRecord_v3020", at + 6'000, at + 7'000);
      file.wait(file.call("cudaEventSynchronize_v3020", at + 20'000, at + 19 * ms + 5'000), 1, 1);
    }
  });
  CHECK(blamed(causes_of(trace), "compute") > 37 * ms);
}

// Four tiles that are issued depth first, on a GPU that copies one way at a time.
void tiles(ExportFile& file) {
  std::int64_t at = 10 * ms;
  for (std::int64_t i = 0; i < 4; ++i) {
    const std::int64_t stream = 13 + i;
    const std::int64_t issue = 1 * ms + i * 40'000;
    file.copy(1, at, at + 8 * ms, file.call("cudaMemcpyAsync_v3020", issue, issue + 5'000), stream,
              100 << 20);
    file.kernel("k", at + 8 * ms + 10'000, at + 8 * ms + 100'000,
                file.call("cudaLaunchKernel_v7000", issue + 10'000, issue + 15'000), stream, 400);
    file.copy(2, at + 8 * ms + 110'000, at + 16 * ms,
              file.call("cudaMemcpyAsync_v3020", issue + 20'000, issue + 25'000), stream,
              100 << 20);
    at += 16 * ms + 5'000;
  }
}

TEST_CASE("a GPU with one copy engine is not predicted to copy both ways at once") {
  const auto with_engines = [](int count) {
    return causes_of(read_export(NsysRelease::r2026, [count](ExportFile& file) {
      tiles(file);
      file.copy_engines(count);
    }));
  };
  const CausesResult one = with_engines(1);
  CHECK(blamed(one, "unexplained") < 1 * ms);
  CHECK(std::abs(one.replay.error) < 0.02);
  CHECK(one.findings.empty());
  REQUIRE(one.advice.size() >= 1);
  CHECK(one.advice[0].step == "bound");
  CHECK(one.advice[0].text.find("one copy engine") != std::string::npos);
  // The same times on a GPU that has two: why copies took turns is not known then.
  CHECK(with_engines(2).replay.error < -0.2);
}

TEST_CASE("what was seen to copy both ways at once has more engines than it is said to have") {
  const Trace trace = read_export(NsysRelease::r2026, [](ExportFile& file) {
    file.copy(1, 10 * ms, 20 * ms, file.call("cudaMemcpyAsync_v3020", 0, 5'000), 13);
    file.copy(2, 11 * ms, 19 * ms, file.call("cudaMemcpyAsync_v3020", 6'000, 9'000), 14);
    file.copy_engines(1);
  });
  const CausesResult causes = causes_of(trace);
  CHECK(causes.replay.error < 0.1);
  CHECK(std::none_of(causes.advice.begin(), causes.advice.end(), [](const Advice& advice) {
    return advice.text.find("one copy engine") != std::string::npos;
  }));
}

// Tiles of kernels that fill the device, in one stream.
void serial_tiles(ExportFile& file, bool lists_gpu) {
  for (std::int64_t i = 0; i < 8; ++i) {
    const std::int64_t at = 10 * ms + i * 20 * ms;
    const std::int64_t issue = 1 * ms + i * 40'000;
    file.copy(1, at, at + 20'000, file.call("cudaMemcpyAsync_v3020", issue, issue + 5'000));
    file.kernel("k", at + 22'000, at + 20 * ms,
                file.call("cudaLaunchKernel_v7000", issue + 10'000, issue + 15'000), 13, 4'000);
  }
  if (!lists_gpu) file.sql("DROP TABLE TARGET_INFO_GPU");
}

TEST_CASE("whether kernels have room beside each other is open where the export lists no GPU") {
  const auto judged = [](bool lists_gpu) {
    return causes_of(read_export(NsysRelease::r2026,
                                 [lists_gpu](ExportFile& file) { serial_tiles(file, lists_gpu); }));
  };
  const CausesResult known = judged(true);
  CHECK(known.has_evidence());
  const CausesResult unknown = judged(false);
  CHECK_FALSE(unknown.has_evidence());
  const auto& asked = unknown.looked_for;
  const auto order = std::find_if(asked.begin(), asked.end(), [](const LookedFor& one) {
    return one.code == code_of(Cause::stream_order);
  });
  REQUIRE(order != asked.end());
  CHECK(order->leaves_open);
  CHECK(order->missing == std::vector<std::string_view>{"DEVICE"});
  CHECK(unknown.findings.empty());  // it is a question
  CHECK(unknown.questions.size() == 1);
}

//   thread     LLLLLLLLLLLLLLLLl.l.l.l.l.    the first launch takes 15.9 ms, the others 5 us
TEST_CASE("a first launch that takes far longer than others loads its kernel") {
  const auto launches = [](ExportFile& file) {
    std::int64_t at = 1 * ms;
    for (std::int64_t i = 0; i < 30; ++i) {
      const std::int64_t length = i == 0 ? 15'900'000 : 5'000;
      const std::int64_t launch = file.call("cudaLaunchKernel_v7000", at, at + length);
      file.kernel("k", at + length + 2'000, at + length + 40'000, launch);
      file.wait(file.call("cudaDeviceSynchronize_v3020", at + length + 3'000, at + length + 45'000),
                4);
      at += length + 50'000;
    }
    file.copy(1, 100'000, 110'000, file.call("cudaMemcpyAsync_v3020", 50'000, 55'000), 13, 64);
  };
  const Trace trace = read_export(NsysRelease::r2024, launches);
  REQUIRE(row_of(trace.health, "loads-inferred") != nullptr);
  CHECK(row_of(trace.health, "loads-inferred")->count == 1);
  const CausesResult causes = causes_of(trace);
  REQUIRE_FALSE(causes.findings.empty());
  CHECK(causes.findings[0].code == "module-load");
  CHECK(blamed(causes, "module-load") > 15 * ms);
  // Where loading is recorded, and none was, it was something else.
  CHECK(row_of(read_export(NsysRelease::r2026, launches).health, "loads-inferred") == nullptr);
}

TEST_CASE("first launches that take what launches do load nothing") {
  const Trace trace = read_export(NsysRelease::r2022, [](ExportFile& file) {
    file.kernel("k", 10 * ms, 20 * ms,
                file.call("cudaLaunchKernel_v7000", 1 * ms, 1 * ms + 60'000));
  });
  CHECK(row_of(trace.health, "loads-inferred") == nullptr);
}

//   stream 13   KKKKKKKKKKKKKKKK
//   migrations  .mmm.mmm.mmm....
TEST_CASE(
    "a kernel that waits for pages of managed memory is not to be made faster, but prefetched") {
  const auto with_migrations_of = [](std::int64_t length) {
    return causes_of(read_export(NsysRelease::r2024, [length](ExportFile& file) {
      file.kernel("k", 10 * ms, 45 * ms,
                  file.call("cudaLaunchKernel_v7000", 1 * ms, 1 * ms + 5'000), 13, 4'000);
      for (std::int64_t i = 0; i < 3; ++i) {
        const std::int64_t at = 11 * ms + i * 10 * ms;
        file.copy(11, at, at + length, 0, 13, 2 << 20);
      }
    }));
  };
  const CausesResult waits = with_migrations_of(7 * ms);
  REQUIRE(waits.advice.size() == 1);
  CHECK(waits.advice[0].step == "managed-memory");
  CHECK(waits.advice[0].is_main);
  CHECK(waits.advice[0].text.starts_with(
      "Pages of managed memory move during 60 % of the time in which kernels run (3 migrations, "
      "6.0 MiB): kernels wait for them, k for 21.0 of its 35.0 ms."));
  CHECK(with_migrations_of(1 * ms).advice.at(0).step == "bound");
}

// Tables of page faults, as releases from 2022 on write them. Since 2024 they have columns for the
// line of the source, too.
void page_faults(ExportFile& file, NsysRelease release) {
  const bool has_lines = release == NsysRelease::r2024 || release == NsysRelease::r2026;
  file.sql(
      "CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS (start INTEGER, end INTEGER, globalPid INTEGER,"
      "  deviceId INTEGER, address INTEGER, numberOfPageFaults INTEGER, faultAccessType INTEGER);"
      "CREATE TABLE CUDA_UM_CPU_PAGE_FAULT_EVENTS (start INTEGER, globalPid INTEGER,"
      "  address INTEGER, originalFaultPc INTEGER, CpuInstruction INTEGER, module INTEGER,"
      "  unresolvedFaultPc INTEGER" +
      std::string(has_lines ? ", SourceFile INTEGER, SourceLine INTEGER" : "") +
      ");"
      "ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY ADD COLUMN virtualAddress INTEGER;"
      "INSERT INTO StringIds VALUES (900, 'sum_on_host');");
}

const Advice* advice_of(const CausesResult& causes, std::string_view step) {
  const auto found = std::find_if(causes.advice.begin(), causes.advice.end(),
                                  [step](const Advice& one) { return one.step == step; });
  return found == causes.advice.end() ? nullptr : &*found;
}

//   stream 13       KKKKKKKKKKLLLLLLLLLL    10 ms each
//   faults          .fff......f.........    4 ms in K, and 1 in L
//   migrations      ...mmmm.............    4 ms, of which 1 beside a fault
TEST_CASE("what faults of the GPU take is said of the kernel that waits most, in every release") {
  for (const NsysRelease release : {NsysRelease::r2022, NsysRelease::r2024, NsysRelease::r2026}) {
    const CausesResult causes = causes_of(read_export(release, [release](ExportFile& file) {
      file.kernel("k", 10 * ms, 20 * ms,
                  file.call("cudaLaunchKernel_v7000", 1 * ms, 1 * ms + 5'000), 13, 4'000);
      file.kernel("l", 20 * ms, 30 * ms,
                  file.call("cudaLaunchKernel_v7000", 2 * ms, 2 * ms + 5'000), 13, 4'000);
      page_faults(file, release);
      file.sql(
          "INSERT INTO CUDA_UM_GPU_PAGE_FAULT_EVENTS VALUES (11000000, 14000000, 0, 0, 4096, 7, 1),"
          "  (20000000, 21000000, 0, 0, 8192, 2, 2),"
          "  (20000000, 29000000, 0, 1, 8192, 2, 2);"  // of another device
          "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId,"
          "  bytes, copyKind) VALUES (13000000, 17000000, 0, 1, 7, 2097152, 11);");
    }));
    const Advice* advice = advice_of(causes, "managed-memory");
    REQUIRE(advice != nullptr);
    CHECK(advice->is_main);
    CHECK(advice->text.starts_with(
        "Pages of managed memory move, or faults on them are handled, during 35 % of the time in "
        "which kernels run (1 migration, 2.0 MiB, 9 page faults of the GPU): kernels wait for "
        "them, k for 6.0 of its 10.0 ms. Move the data before the launch"));
  }
}

//   stream 13     KKKK.........KKKK
//   host faults   .....a.b......a..     of the pages A and B, which come to the host
//   to the host   ......AA.BBB.....     2.5 ms for a and 3.5 ms for b; the third comes from nowhere
TEST_CASE("what faults of the host take is said, with the time in which the GPU is idle") {
  for (const NsysRelease release : {NsysRelease::r2022, NsysRelease::r2024, NsysRelease::r2026}) {
    const CausesResult causes = causes_of(read_export(release, [release](ExportFile& file) {
      file.kernel("k", 0, 4 * ms, file.call("cudaLaunchKernel_v7000", 0, 5'000), 13, 4'000);
      file.kernel("k", 13 * ms, 17 * ms,
                  file.call("cudaLaunchKernel_v7000", 12 * ms, 12 * ms + 5'000), 13, 4'000);
      page_faults(file, release);
      file.sql(
          "INSERT INTO CUDA_UM_CPU_PAGE_FAULT_EVENTS (start, globalPid, address, CpuInstruction,"
          "  module) VALUES (5000000, 0, 4100, 900, 900), (8000000, 0, 8192, 900, 900),"
          "  (14000000, 0, 4100, 900, 900);"
          "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId,"
          "  bytes, copyKind, virtualAddress) VALUES (5500000, 7500000, 0, 1, 7, 4096, 12, 4096),"
          "  (8500000, 11500000, 0, 1, 7, 4096, 12, 8192),"
          "  (16000000, 16100000, 0, 1, 7, 4096, 12, 4096),"  // too late for the third
          "  (14100000, 14200000, 0, 1, 7, 4096, 11, 4096);"  // to the device
      );
    }));
    const Advice* advice = advice_of(causes, "host-pages");
    REQUIRE(advice != nullptr);
    CHECK_FALSE(advice->is_main);
    CHECK(advice->text.starts_with(
        "For 35.3 % of the time the host waits for pages of managed memory that it touches while "
        "they are on a GPU (2 page faults, most in sum_on_host), and for 100 % of that this GPU is "
        "idle. Move results to the host before it reads them"));
  }
}

TEST_CASE("faults of which nobody knows what ended them are counted, and nothing is said of them") {
  const Trace trace = read_export(NsysRelease::r2022, [](ExportFile& file) {
    file.kernel("k", 0, 4 * ms, file.call("cudaLaunchKernel_v7000", 0, 5'000), 13, 4'000);
    page_faults(file, NsysRelease::r2022);
    file.sql(
        "INSERT INTO CUDA_UM_CPU_PAGE_FAULT_EVENTS (start, globalPid, address) VALUES"
        "  (1000000, 0, 4096), (-5, 0, 4096), (NULL, NULL, 'text');");
  });
  CHECK(row_of(trace.health, "managed-migrations")->count == 3);
  CHECK(trace.host_faults.size() == 3);
  CHECK(advice_of(causes_of(trace), "host-pages") == nullptr);
}

//   thread     m.....................f     90 ms from the first call to the last
//   stream 13  ...........M...........     one memset of 2 us
TEST_CASE("a GPU that does next to nothing is said to do so, and nothing is to be made faster") {
  const auto with_ops = [](std::int64_t count, std::int64_t length) {
    return causes_of(read_export(NsysRelease::r2026, [=](ExportFile& file) {
      file.call("cudaMalloc_v3020", 0, 10 * ms);
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t at = 20 * ms + i * (length + 1'000);
        file.kernel("k", at, at + length,
                    file.call("cudaLaunchKernel_v7000", 15 * ms + 10 * i, 15 * ms + 10 * i + 9));
      }
      file.wait(file.call("cudaDeviceSynchronize_v3020", 80 * ms, 90 * ms), 4);
    }));
  };
  const CausesResult one = with_ops(1, 2'000);
  REQUIRE(one.advice.size() == 1);
  CHECK(one.advice[0].step == "little-work");
  CHECK(one.advice[0].is_main);
  CHECK(one.advice[0].text ==
        "The GPU works for 2.0 us (k) of the 90.0 ms between the first and the last CUDA call: "
        "there is next to nothing to overlap or to make faster. If the program does more, record "
        "more of it.");
  CHECK(advice_of(with_ops(20, 10'000), "little-work") != nullptr);
  CHECK(advice_of(with_ops(20, 100'000), "little-work") == nullptr);
  CHECK(advice_of(with_ops(1, 40 * ms), "little-work") == nullptr);
}

//   thread     .........b.c       A's call is not in the trace, B was issued while A ran
//   stream 13  AAAAAAAAAAAABBBC
TEST_CASE("an op without a call is in its place in its stream") {
  const Trace trace = read_export(NsysRelease::r2026, [](ExportFile& file) {
    file.kernel("a", 1 * ms, 50 * ms, 0);
    file.kernel("a", 50 * ms + 1'000, 60 * ms, 0);
    file.kernel("b", 60 * ms + 1'000, 70 * ms,
                file.call("cudaLaunchKernel_v7000", 40 * ms, 40 * ms + 5'000));
    file.kernel("b", 70 * ms + 1'000, 80 * ms,
                file.call("cudaLaunchKernel_v7000", 41 * ms, 41 * ms + 5'000));
  });
  const CausesResult causes = causes_of(trace);
  CHECK(blamed(causes, "unexplained") == 0);
  CHECK(blamed(causes, "compute") > 78 * ms);
}

TEST_CASE("what Nsight Systems says went wrong with CUDA decides what can be concluded") {
  const auto with = [](int severity, const char* text) {
    return read_export(NsysRelease::r2024, [&](ExportFile& file) {
      file.kernel("k", 10, 20, 0);
      file.diagnostic(severity, text);
      file.diagnostic(severity, "No OpenGL events collected. Does the process use OpenGL?");
    });
  };
  const Trace lost = with(2, "Not all CUDA events might have been collected.");
  REQUIRE(row_of(lost.health, "cuda-events-missing") != nullptr);
  CHECK(row_of(lost.health, "cuda-events-missing")->severity == Severity::error);
  CHECK(analyze(lost, {}).trust == Trust::inconclusive);
  const Trace ranges = with(2, "Not all NVTX events might have been collected.");
  REQUIRE(row_of(ranges.health, "nvtx-events-missing") != nullptr);
  CHECK(row_of(ranges.health, "nvtx-events-missing")->severity == Severity::warning);
  const Trace other = with(
      2, "CUDA device 0: Unified Memory cannot be traced on devices of this kind.Please verify.");
  REQUIRE(row_of(other.health, "export-diagnostic") != nullptr);
  CHECK(
      row_of(other.health, "export-diagnostic")->message ==
      "Nsight Systems says of this recording: \"CUDA device 0: Unified Memory cannot be traced on "
      "devices of this kind\".");
  // What it says went well is nothing to tell.
  CHECK(row_of(with(1, "CUDA injection initialized successfully.").health, "export-diagnostic") ==
        nullptr);
}

TEST_CASE("an export of a run without CUDA is known as one, and says that it is") {
  const TemporaryFolder folder;
  schema::Database(folder / "e.sqlite", schema::Database::Mode::create)
      .execute(
          "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
          "CREATE TABLE ANALYSIS_DETAILS (globalVid INTEGER, duration INTEGER);"
          "CREATE TABLE OSRT_API (start INTEGER, end INTEGER);");
  const Report report = analyze(read_trace(folder / "e.sqlite"), {});
  REQUIRE(row_of(report.health, "no-gpu-work") != nullptr);
  CHECK(row_of(report.health, "no-gpu-work")->message ==
        "The export has no calls of CUDA and no work of a GPU: CUDA was not traced, or the program "
        "did not use it.");
}

TEST_CASE("calls that launch without any work of the GPU are told as such") {
  const Trace trace = read_export(NsysRelease::r2026, [](ExportFile& file) {
    file.call("cudaLaunchKernel_v7000", 10, 20);
    file.call("cudaMemcpyAsync_v3020", 30, 40);
  });
  const Report report = analyze(trace, {});
  REQUIRE(row_of(report.health, "no-gpu-work") != nullptr);
  CHECK(row_of(report.health, "no-gpu-work")->count == 2);
  CHECK(row_of(report.health, "no-gpu-work")
            ->message.starts_with("The trace has 2 calls that launch or copy, and nothing of what "
                                  "they did on the GPU"));
}

TEST_CASE("one array that goes to the device and back again and again may stay there") {
  const auto rounds = [](std::int64_t count) {
    return causes_of(read_export(NsysRelease::r2026, [count](ExportFile& file) {
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t at = i * 30 * ms;
        constexpr std::int64_t bytes = 512 << 20;
        file.copy(1, at + 5'000, at + 12 * ms,
                  file.call("cuMemcpyHtoD_v2", at, at + 12 * ms + 1'000), 7, bytes);
        file.kernel("k", at + 13 * ms, at + 17 * ms,
                    file.call("cuLaunchKernel", at + 12 * ms + 990'000, at + 12 * ms + 995'000), 7,
                    4'000);
        file.copy(2, at + 17 * ms + 5'000, at + 29 * ms,
                  file.call("cuMemcpyDtoH_v2", at + 13 * ms, at + 29 * ms + 1'000), 7, bytes);
      }
    }));
  };
  const auto says_so = [](const CausesResult& causes) {
    return std::any_of(causes.advice.begin(), causes.advice.end(),
                       [](const Advice& advice) { return advice.step == "resident"; });
  };
  CHECK(says_so(rounds(10)));
  CHECK_FALSE(says_so(rounds(1)));
}

}  // namespace
}  // namespace lapscope::analyzer
