// Compares equal kernels in several streams with one kernel alone (see --help).

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "workloads/harness/device.h"
#include "workloads/harness/guard.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/measured_region.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/harness/usual_kernel.h"
#include "workloads/side_by_side/side_by_side_options.h"
#include "workloads/side_by_side/side_by_side_table.h"

namespace lapscope::workloads::side_by_side {
namespace {

// Measures kinds of kernels, one kind at a time. All use the same streams and buffers.
class Forms {
 public:
  Forms(const Options& options, const DeviceInfo& device);

  Row measure(UsualKind kind, GpuShare share);

 private:
  struct Subject {
    std::string name;
    std::unique_ptr<UsualKernel> kernel;
    std::uint32_t work = 0;
  };

  void show(Subject& subject);
  double queued_us(Subject& subject, int count);
  double issued_us(Subject& subject, int count);
  BesideCopies queued_beside_copies(Subject& subject);
  double issued_beside_copies_us(Subject& subject);
  void launch(Subject& subject, int lane);
  cudaStream_t stream_in() const;
  cudaStream_t stream_out() const;
  cudaStream_t stream_of(int lane) const;
  void copy_in(cudaStream_t stream) const;
  void copy_out(cudaStream_t stream) const;
  void wait_if_apart(cudaStream_t stream) const;

  const Options& options_;
  const DeviceInfo& device_;
  std::vector<Stream> streams_;  // Two for copies, then one for each kernel.
  StreamGate gate_;
  PinnedBuffer<char> host_in_;
  PinnedBuffer<char> host_out_;
  DeviceBuffer<char> device_in_;
  DeviceBuffer<char> device_out_;
};

// A copy of this size takes about 300 us on a link of 55 GB/s, as long as a kernel.
constexpr std::size_t copied_bytes = std::size_t{16} << 20;
constexpr int copy_streams = 2;
constexpr int examples = 3;

int most(const std::vector<int>& counts) { return *std::ranges::max_element(counts); }

Forms::Forms(const Options& options, const DeviceInfo& device)
    : options_(options),
      device_(device),
      host_in_(copied_bytes),
      host_out_(copied_bytes),
      device_in_(copied_bytes),
      device_out_(copied_bytes) {
  const int streams = std::max(2, most(options.at_once)) + copy_streams;
  for (int i = 0; i < streams; ++i) streams_.emplace_back(StreamKind::non_blocking);
  std::ranges::fill(host_in_.span(), char{0});
  std::ranges::fill(host_out_.span(), char{0});
  check(cudaMemset(device_out_.data(), 0, copied_bytes), "fill memory");
  // The first operation in a stream takes longer.
  for (const Stream& stream : streams_) {
    check(cudaMemsetAsync(device_in_.data(), 0, 1, stream.get()), "fill memory");
  }
  copy_in(stream_in());
  copy_out(stream_out());
  check(cudaDeviceSynchronize(), "wait for the first copies");
}

Row Forms::measure(UsualKind kind, GpuShare share) {
  Row row{.name = name_of(kind, share), .blocks = blocks_of(share, device_.multiprocessors)};
  const auto lanes = static_cast<std::size_t>(std::max(2, most(options_.at_once)));
  Subject subject{row.name, make_usual_kernel(kind, share, device_.multiprocessors, lanes)};
  const auto known = options_.works.find(row.name);
  subject.work = known != options_.works.end() && known->second > 0
                     ? known->second
                     : work_for(*subject.kernel, options_.us, stream_of(0));
  row.work = subject.work;
  if (options_.seen) show(subject);
  const bool queued = options_.form == Form::table;
  // Several repeats have a warm-up run before them. A single repeat, as in a recording, has none.
  const int left_out = options_.repeats > 1 ? 1 : 0;
  for (const int count : options_.at_once) {
    for (int run = -left_out; run < options_.repeats; ++run) {
      const double us = queued ? queued_us(subject, count) : issued_us(subject, count);
      if (run >= 0) row.us[count].push_back(us);
    }
  }
  for (int run = -left_out; options_.copies && run < options_.repeats; ++run) {
    if (queued) {
      const BesideCopies copies = queued_beside_copies(subject);
      if (run >= 0) row.copies.push_back(copies);
    } else {
      const double us = issued_beside_copies_us(subject);
      if (run >= 0) row.beside_copies_us.push_back(us);
    }
  }
  subject.kernel->verify();
  return row;
}

// Copies use the first streams, because these get hardware queues of their own.
cudaStream_t Forms::stream_in() const { return streams_[0].get(); }

cudaStream_t Forms::stream_out() const { return streams_[1].get(); }

cudaStream_t Forms::stream_of(int lane) const {
  return streams_[static_cast<std::size_t>(copy_streams + lane)].get();
}

void Forms::launch(Subject& subject, int lane) {
  subject.kernel->launch(static_cast<std::size_t>(lane), subject.work, stream_of(lane));
}

void Forms::copy_in(cudaStream_t stream) const {
  check(cudaMemcpyAsync(device_in_.data(), host_in_.data(), copied_bytes, cudaMemcpyHostToDevice,
                        stream),
        "copy to the device");
}

void Forms::copy_out(cudaStream_t stream) const {
  check(cudaMemcpyAsync(host_out_.data(), device_out_.data(), copied_bytes, cudaMemcpyDeviceToHost,
                        stream),
        "copy to the host");
}

// Runs the kernel alone, and then together with another kernel of its kind. An analysis of the
// trace compares these times. It finds how such kernels share the device.
void Forms::show(Subject& subject) {
  const NvtxRange range((subject.name + " seen").c_str());
  for (int i = 0; i < examples; ++i) {
    launch(subject, 0);
    check(cudaDeviceSynchronize(), "wait for a kernel");
  }
  for (int i = 0; i < examples; ++i) {
    launch(subject, 0);
    launch(subject, 1);
    check(cudaDeviceSynchronize(), "wait for two kernels");
  }
}

// Measures the device without delays of the host. All work is issued before any of it can start.
double Forms::queued_us(Subject& subject, int count) {
  Event begin;
  Event end;
  std::deque<OrderEvent> done(static_cast<std::size_t>(count));
  const cudaStream_t first = stream_of(0);
  gate_.close(first);
  begin.record(first);
  for (int i = 0; i < count; ++i) {
    const cudaStream_t stream = stream_of(i);
    if (i > 0) begin.hold(stream);
    launch(subject, i);
    if (i > 0) done[static_cast<std::size_t>(i)].join(stream, first);
  }
  end.record(first);
  gate_.open();
  check(cudaDeviceSynchronize(), "wait for the kernels");
  return end.us_since(begin);
}

double Forms::issued_us(Subject& subject, int count) {
  const std::string range = subject.name + " x" + std::to_string(count);
  const MeasuredRegion region(range.c_str());
  return host_us([&] {
    for (int i = 0; i < count; ++i) {
      launch(subject, i);
      wait_if_apart(stream_of(i));
    }
    check(cudaDeviceSynchronize(), "wait for the kernels");
  });
}

void Forms::wait_if_apart(cudaStream_t stream) const {
  if (options_.form != Form::apart) return;
  check(cudaStreamSynchronize(stream), "wait for a stream");
}

BesideCopies Forms::queued_beside_copies(Subject& subject) {
  const cudaStream_t in = stream_in();
  const cudaStream_t out = stream_out();
  const cudaStream_t compute = stream_of(0);
  struct Timed {
    Event begin;
    Event end;
    double us() const { return end.us_since(begin); }
  };
  const auto run = [&](bool copies, bool kernel, double& in_us, double& out_us, double& kernel_us) {
    Timed copied_in;
    Timed copied_out;
    Timed computed;
    OrderEvent opened;
    gate_.close(compute);
    opened.record(compute);
    opened.hold(in);
    opened.hold(out);
    copied_in.begin.record(in);
    if (copies) copy_in(in);
    copied_in.end.record(in);
    copied_out.begin.record(out);
    if (copies) copy_out(out);
    copied_out.end.record(out);
    computed.begin.record(compute);
    if (kernel) launch(subject, 0);
    computed.end.record(compute);
    gate_.open();
    check(cudaDeviceSynchronize(), "wait for a kernel beside copies");
    if (copies) in_us = copied_in.us();
    if (copies) out_us = copied_out.us();
    if (kernel) kernel_us = computed.us();
  };
  BesideCopies times;
  double unused = 0;
  run(true, false, times.copy_in_alone_us, times.copy_out_alone_us, unused);
  run(false, true, unused, unused, times.kernel_alone_us);
  run(true, true, times.copy_in_us, times.copy_out_us, times.kernel_us);
  return times;
}

double Forms::issued_beside_copies_us(Subject& subject) {
  const cudaStream_t in = stream_in();
  const cudaStream_t out = stream_out();
  const MeasuredRegion region((subject.name + " copies").c_str());
  return host_us([&] {
    copy_in(in);
    wait_if_apart(in);
    launch(subject, 0);
    wait_if_apart(stream_of(0));
    copy_out(out);
    wait_if_apart(out);
    check(cudaDeviceSynchronize(), "wait for a kernel beside copies");
  });
}

void run(int argc, char** argv) {
  const auto options = parse_options(argc, argv);
  if (!options) return;
  const DeviceInfo device = open_device();
  MeasuredRegion::prepare();
  Forms forms(*options, device);
  std::vector<Row> rows;
  bool failed = false;
  for (const UsualKind kind : options->kinds) {
    for (const GpuShare share : options->shares) {
      try {
        rows.push_back(forms.measure(kind, share));
      } catch (const SkippedError& error) {
        rows.push_back({.name = name_of(kind, share), .failed = error.what()});
      } catch (const std::exception& error) {
        rows.push_back({.name = name_of(kind, share), .failed = error.what()});
        failed = true;
      }
      std::cerr << rows.back().name << ' ' << rows.back().failed << '\n';
    }
  }
  if (options->json) {
    constexpr const char* forms_by_name[] = {"table", "together", "apart"};
    print_json(std::cout, rows, device.name, forms_by_name[static_cast<int>(options->form)],
               options->seen);
  } else {
    print_text(std::cout, rows, options->at_once);
  }
  std::cout << std::flush;
  if (failed) throw std::runtime_error("not all kernels could be measured");
}

}  // namespace
}  // namespace lapscope::workloads::side_by_side

int main(int argc, char** argv) {
  return lapscope::workloads::guard("side_by_side",
                                    [&] { lapscope::workloads::side_by_side::run(argc, argv); });
}
