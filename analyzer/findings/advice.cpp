#include "analyzer/findings/sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "analyzer/findings/blame.h"
#include "analyzer/findings/held_tasks.h"
#include "analyzer/findings/host_time.h"
#include "analyzer/findings/page_waits.h"
#include "analyzer/findings/places.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/graph/copy_rates.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

std::string duration(std::int64_t ns) {
  constexpr double ns_per_us = 1e3;
  constexpr double ns_per_ms = 1e6;
  const auto length = static_cast<double>(ns);
  return length < ns_per_ms ? fmt::format("{:.1f} us", length / ns_per_us)
                            : fmt::format("{:.1f} ms", length / ns_per_ms);
}

// What a scope's tasks did, as far as advice is about it.
struct Use {
  std::array<std::vector<Interval>, all_engines.size()> busy;
  std::vector<Interval> communication;
  std::vector<Interval> other_compute;
  std::int64_t compute_ns = 0;
  std::int64_t filling_ns = 0;  // of kernels that leave no room on the multiprocessors
  std::int64_t pageable = 0;    // copies
  std::int64_t pageable_ns = 0;
  std::uint32_t longest_copy = no_index;
  std::set<std::uint32_t> communicating_streams;
  std::map<std::uint32_t, std::int64_t> other_compute_ns;  // by stream
  double communication_covers = 0;  // the part of the multiprocessors that it has blocks on at most
};

double share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

Use use_of(const Sources& sources, const GraphScope& scope) {
  const Graph& graph = sources.graph;
  Use use;
  for (const std::uint32_t t : scope.tasks) {
    const Task& task = graph.tasks[t];
    const Interval inside{std::max(task.start, scope.window.start),
                          std::min(task.end, scope.window.end)};
    const std::int64_t ns = inside.length();
    if (ns <= 0) continue;
    use.busy[static_cast<std::size_t>(task.engine)].push_back(inside);
    if (task.engine != Engine::compute) {
      const bool is_longest =
          use.longest_copy == no_index ||
          ns > graph.tasks[use.longest_copy].end - graph.tasks[use.longest_copy].start;
      if (is_longest) use.longest_copy = t;
    }
    if (is_pageable(sources.trace, task)) {
      ++use.pageable;
      use.pageable_ns += ns;
    }
    if (task.engine != Engine::compute) continue;
    use.compute_ns += ns;
    if (task.geometry != no_index && graph.uses[task.geometry].fills()) use.filling_ns += ns;
    if (task.communicates) {
      use.communication.push_back(inside);
      use.communicating_streams.insert(task.stream);
      if (task.geometry != no_index) {
        const double covers = graph.uses[task.geometry].covers;
        use.communication_covers = std::max(use.communication_covers, covers);
      }
    } else {
      use.other_compute_ns[task.stream] += ns;
      use.other_compute.push_back(inside);
    }
  }
  return use;
}

class Adviser {
 public:
  Adviser(const Sources& sources, const GraphScope& scope, const CausesResult& result)
      : sources_(sources),
        scope_(scope),
        result_(result),
        wall_(scope.window.length()),
        use_(use_of(sources, scope)) {}

  std::vector<Advice> all() {
    const bool is_told = advise_prefetch() || tell_little_work();
    advise_communication();
    if (!is_told) advise_bound();
    advise_host_prefetch();
    advise_pin();
    advise_queues();
    advise_small_copies();
    advise_resident();
    advise_chunk();
    if (advice_.empty() && result_.findings.empty() && result_.questions.empty()) {
      advise_dependence();
    }
    tell_host_time();
    return std::move(advice_);
  }

 private:
  bool is_found(Cause cause) const {
    return std::any_of(result_.findings.begin(), result_.findings.end(),
                       [cause](const FindingResult& f) { return f.code == code_of(cause); });
  }

  // While something is to be put right, an engine may be busy only because of that.
  void advise_bound() {
    if (!result_.findings.empty() || advise_one_copy_engine()) return;
    if (result_.bound_share < assumed::bound_engine) return;
    const double percent = 100 * result_.bound_share;
    if (result_.bound_by == name_of(Engine::compute)) {
      const double filling = share(use_.filling_ns, use_.compute_ns);
      if (filling >= assumed::majority) {
        advice_.push_back(
            {"bound",
             fmt::format("Kernels run {:.1f} % of the time, and those that fill all "
                         "multiprocessors take {:.0f} % of that: no other kernel fits beside them. "
                         "Make them faster, or smaller where others should overlap with them.",
                         percent, 100 * filling)});
      } else {
        advice_.push_back({"bound", fmt::format("Kernels run {:.1f} % of the time: streams help "
                                                "only where kernels can overlap. Make them "
                                                "faster, or launch fewer.",
                                                percent)});
      }
      return;
    }
    const bool is_in = result_.bound_by == name_of(Engine::h2d);
    const bool is_out = result_.bound_by == name_of(Engine::d2h);
    advice_.push_back(
        {"bound",
         fmt::format("Copies {} fill {:.1f} % of the time, and streams do not make a link faster. "
                     "Copy less or less often: smaller types, compression, data that stays on the "
                     "device or is created there.",
                     is_in    ? "to the device"
                     : is_out ? "to the host"
                              : "within and between devices",
                     percent)});
  }

  // One memset keeps the GPU busy all the time from its first op to its last, and is nothing to
  // make faster.
  bool tell_little_work() {
    const Trace& trace = sources_.trace;
    const Ops& ops = trace.devices[scope_.device].ops;
    if (scope_.leaves_out_ops || ops.size() == 0 || !result_.findings.empty()) return false;
    std::optional<Interval> calls;
    for (std::size_t call = 0; call < trace.calls.size(); ++call) {
      const Interval one = trace.calls.interval(call);
      if (!calls) calls = one;
      calls = {std::min(calls->start, one.start), std::max(calls->end, one.end)};
    }
    std::vector<Interval> running;
    for (std::size_t op = 0; op < ops.size(); ++op) running.push_back(ops.interval(op));
    const IntervalSet busy = IntervalSet::union_of(std::move(running));
    if (!calls || busy.empty()) return false;
    const auto all = busy.intervals();
    const Interval work{all.front().start, all.back().end};
    const bool is_short = share(work.length(), calls->length()) < assumed::little_work;
    const bool is_rare = ops.size() < assumed::few_ops &&
                         share(busy.length(), calls->length()) < assumed::little_work;
    if (!is_short && !is_rare) return false;
    advice_.push_back(
        {"little-work",
         fmt::format("The GPU works for {} ({}) of the {} between the first and "
                     "the last CUDA call: there is next to nothing to overlap or to make faster. "
                     "If the program does more, record more of it.",
                     duration(busy.length()),
                     ops.size() == 1 ? name_of_op(trace, trace.devices[scope_.device], 0)
                                     : fmt::format("{} ops", ops.size()),
                     duration(calls->length())),
         true});
    return true;
  }

  // Kernels that wait for pages of managed memory are long, and none of their own making.
  bool advise_prefetch() {
    const auto waits = kernel_page_waits(sources_, scope_);
    if (!waits) return false;
    advice_.push_back({"managed-memory",
                       *waits +
                           " Move the data before the launch (cudaMemPrefetchAsync), or keep it in "
                           "memory of cudaMalloc.",
                       true});
    return true;
  }

  void advise_host_prefetch() {
    const auto waits = host_page_waits(sources_, scope_);
    if (!waits) return;
    advice_.push_back(
        {"host-pages", *waits +
                           " Move results to the host before it reads them (cudaMemPrefetchAsync "
                           "to cudaCpuDeviceId), or copy them to memory of its own."});
  }

  // Of a GPU that copies one way at a time both ways together are the bound.
  bool advise_one_copy_engine() {
    if (!sources_.graph.traits[scope_.device].one_copy_engine) return false;
    std::vector<Interval> copies;
    for (const Engine engine : {Engine::h2d, Engine::d2h}) {
      const auto& busy = use_.busy[static_cast<std::size_t>(engine)];
      if (busy.empty()) return false;
      copies.insert(copies.end(), busy.begin(), busy.end());
    }
    const double filled = share(IntervalSet::union_of(std::move(copies)).length(), wall_);
    if (filled < assumed::bound_engine) return false;
    advice_.push_back({"bound", fmt::format("Copies fill {:.1f} % of the time. This GPU has one "
                                            "copy engine: copies to the device and to the host "
                                            "never overlap, in whatever streams. Copy less or "
                                            "less often, or keep data on the device.",
                                            100 * filled)});
    return true;
  }

  void advise_pin() {
    if (is_found(Cause::pageable_copy) || share(use_.pageable_ns, wall_) < assumed::least_saving)
      return;
    std::string text = fmt::format(
        "{} copies, {:.1f} % of the time, are of pageable memory, for which "
        "cudaMemcpyAsync waits until the driver has taken the data. "
        "Page-lock it (cudaMallocHost, cudaHostRegister).",
        use_.pageable, 100 * share(use_.pageable_ns, wall_));
    const Fix* fix = fix_for(Cause::pageable_copy);
    const std::string unknown = fix->lacks(sources_.trace, sources_.graph);
    if (!unknown.empty()) text += " " + unknown;
    advice_.push_back({"pin", std::move(text)});
  }

  // Streams that share hardware queues although there are no more of them to be had.
  void advise_queues() {
    const auto& settings = sources_.trace.settings;
    const auto asked = settings.find("CUDA_DEVICE_MAX_CONNECTIONS");
    const std::string most = std::to_string(assumed::most_connections);
    if (asked == settings.end() || asked->second != most || is_found(Cause::queue_alias)) return;
    const Recurring recurring(sources_.trace, sources_.graph);
    const std::int64_t waited =
        held_time(held_by(sources_.trace, sources_.graph, scope_, Cause::queue_alias, recurring));
    if (share(waited, wall_) < assumed::least_saving) return;
    advice_.push_back(
        {"queues", fmt::format("For {:.1f} % of the time ops wait for others ahead of them in a "
                               "hardware queue, and the program uses all {} of them "
                               "(CUDA_DEVICE_MAX_CONNECTIONS). Use fewer streams, or issue breadth "
                               "first: one kernel for each stream in turn.",
                               100 * share(waited, wall_), most)});
  }

  // A copy takes a few us to start, whatever its size: many small ones are slower than the link.
  void advise_small_copies() {
    if (is_found(Cause::small_copies)) return;
    for (const Engine engine : {Engine::h2d, Engine::d2h}) {
      std::int64_t count = 0;
      std::int64_t ns = 0;
      std::int64_t bytes = 0;
      for (const std::uint32_t t : scope_.tasks) {
        const Task& task = sources_.graph.tasks[t];
        if (task.engine != engine || task.op == no_index || is_pageable(sources_.trace, task)) {
          continue;
        }
        const std::int64_t own = sources_.trace.devices[task.device].ops.bytes[task.op];
        if (own >= assumed::large_copy) continue;
        ++count;
        ns += task.end - task.start;
        bytes += own;
      }
      const double rate = copy_rates(sources_.trace, scope_.device).of(engine);
      if (count < assumed::enough_examples || rate <= 0) continue;
      const auto at_rate = static_cast<std::int64_t>(static_cast<double>(bytes) / rate);
      if (share(ns - at_rate, wall_) < assumed::least_saving) continue;
      advice_.push_back(
          {"small-copies",
           fmt::format("{} copies {} of {:.1f} KiB on average take {:.1f} % of the time, at {:.1f} "
                       "GB/s; as fewer large ones, at {:.1f} GB/s, they would take {:.1f} %. Fill "
                       "one buffer on the host and copy that, for many at once.",
                       count, engine == Engine::h2d ? "to the device" : "to the host",
                       static_cast<double>(bytes) / static_cast<double>(count << 10),
                       100 * share(ns, wall_), share(bytes, ns), rate,
                       100 * share(at_rate, wall_))});
    }
  }

  // Copies of one size to the device and back, again and again, with nothing beside them: mostly
  // arrays that a framework (OpenMP, OpenACC) copies around each kernel.
  void advise_resident() {
    const bool has_better = std::any_of(
        result_.findings.begin(), result_.findings.end(),
        [](const FindingResult& one) { return one.saving_share >= assumed::large_part; });
    const bool is_bound = result_.bound_share >= assumed::bound_engine;  // advise_bound() says it
    if (has_better || is_bound || hides_copies()) return;
    struct Both {
      std::int64_t in = 0;
      std::int64_t out = 0;
      std::int64_t ns = 0;
    };
    std::map<std::int64_t, Both> by_size;
    for (const std::uint32_t t : scope_.tasks) {
      const Task& task = sources_.graph.tasks[t];
      const bool is_in = task.engine == Engine::h2d;
      if (task.op == no_index || (!is_in && task.engine != Engine::d2h)) continue;
      const std::int64_t bytes = sources_.trace.devices[task.device].ops.bytes[task.op];
      if (bytes < assumed::large_copy) continue;
      Both& both = by_size[bytes];
      ++(is_in ? both.in : both.out);
      both.ns += task.end - task.start;
    }
    const auto most =
        std::max_element(by_size.begin(), by_size.end(),
                         [](const auto& a, const auto& b) { return a.second.ns < b.second.ns; });
    if (most == by_size.end()) return;
    const auto& [bytes, both] = *most;
    const std::int64_t rounds = std::min(both.in, both.out);
    if (rounds < assumed::least_rounds || share(both.ns, wall_) < assumed::majority) return;
    advice_.push_back(
        {"resident", fmt::format("{:.1f} MiB go to the device {} times and back {} times, which "
                                 "takes {:.0f} % of the time. If it is the same data each time, "
                                 "keep it on the device and copy what changed.",
                                 static_cast<double>(bytes) / (1 << 20), both.in, both.out,
                                 100 * share(both.ns, wall_))});
  }

  // Whether a good part of the copies has kernels beside it.
  bool hides_copies() const {
    std::vector<Interval> copies;
    for (const Engine engine : {Engine::h2d, Engine::d2h}) {
      const auto& busy = use_.busy[static_cast<std::size_t>(engine)];
      copies.insert(copies.end(), busy.begin(), busy.end());
    }
    const IntervalSet all = IntervalSet::union_of(std::move(copies));
    const IntervalSet kernels =
        IntervalSet::union_of(use_.busy[static_cast<std::size_t>(Engine::compute)]);
    return share(intersect(all, kernels).length(), all.length()) >= assumed::large_part;
  }

  // Work can only overlap with what is not all done at once.
  void advise_chunk() {
    if (result_.bound_share >= assumed::bound_engine || use_.longest_copy == no_index) return;
    const Task& copy = sources_.graph.tasks[use_.longest_copy];
    const Interval inside{std::max(copy.start, scope_.window.start),
                          std::min(copy.end, scope_.window.end)};
    std::vector<Interval> others;
    for (const Engine engine : all_engines) {
      if (engine == copy.engine) continue;
      const auto& busy = use_.busy[static_cast<std::size_t>(engine)];
      others.insert(others.end(), busy.begin(), busy.end());
    }
    if (others.empty()) return;
    const std::int64_t beside =
        intersect(IntervalSet::union_of({inside}), IntervalSet::union_of(std::move(others)))
            .length();
    const double alone = share(inside.length() - beside, wall_);
    if (alone < assumed::large_part) return;
    advice_.push_back(
        {"chunk", fmt::format("One {} takes {:.1f} % of the time with nothing beside it. Split the "
                              "data into tiles, a few for each of two to four streams, so that one "
                              "is copied while another is processed.",
                              GraphNames(sources_).of_task(use_.longest_copy), 100 * alone)});
  }

  void advise_communication() {
    if (use_.communication.empty() || use_.other_compute.empty()) return;
    if (is_found(Cause::sm_saturated) || is_found(Cause::stream_order)) return;
    const IntervalSet communication = IntervalSet::union_of(std::move(use_.communication));
    const std::int64_t hidden =
        intersect(communication, IntervalSet::union_of(std::move(use_.other_compute))).length();
    const double exposed = share(communication.length() - hidden, wall_);
    if (exposed < assumed::least_saving) return;
    const std::string_view why =
        in_stream_of_kernels()
            ? "It waits in its stream for all kernels ahead of it. If its data is ready earlier, "
              "issue it then, into a stream of its own, as DistributedDataParallel does with "
              "gradients."
            : "It waits for data, or for room.";
    // As sm-saturated predicts it. A higher priority alone gained nothing in nccl-all-reduce
    // high-priority (docs/what-if-accuracy.md).
    const auto all =
        static_cast<double>(sources_.trace.devices[scope_.device].limits.multiprocessors);
    const auto count = std::lround(use_.communication_covers * all);
    advice_.push_back(
        {"communication",
         fmt::format("Communication takes {:.1f} % of the time with no other kernel beside it. {} "
                     "Kernels that are to run beside it should leave it the {}multiprocessors "
                     "that it runs on.",
                     100 * exposed, why, count > 0 ? std::to_string(count) + " " : "")});
  }

  // Whether most of what else computes is in the streams of the communication.
  bool in_stream_of_kernels() const {
    std::int64_t all = 0;
    std::int64_t in_its_streams = 0;
    for (const auto& [stream, ns] : use_.other_compute_ns) {
      all += ns;
      if (use_.communicating_streams.count(stream) > 0) in_its_streams += ns;
    }
    return share(in_its_streams, all) >= assumed::majority;
  }

  // Nothing saves enough to be reported: because of the host, or of the work itself.
  void advise_dependence() {
    for (const BlameRow& row : result_.blame) {
      const auto cause = cause_of_code(row.code);
      if (row.kind == BlameKind::work || !cause || !is_of_host(*cause)) continue;
      if (share(row.ns, wall_) < assumed::large_part) break;
      advice_.push_back(
          {"host", fmt::format("The GPU waits for the host {:.1f} % of the time ({}), and streams "
                               "do not make it issue faster. Issue work further ahead, in fewer "
                               "calls, or from a dedicated thread.",
                               100 * share(row.ns, wall_), row.code)});
      return;
    }
    // What is not explained may be anything but needed.
    if (!result_.is_conclusive()) return;
    advice_.push_back({"independent-work",
                       "No known fix saves enough to be reported: each op waited for work that it "
                       "needs, or for the last of several. Streams help only with independent "
                       "work: another batch, the next input."});
  }

  // What other tools saw of the time that is the host's own.
  void tell_host_time() {
    if (sources_.trace.host_states.empty()) return;
    auto text = host_time(sources_, critical_path(sources_, scope_), wall_);
    if (text) advice_.push_back({"host-time", std::move(*text)});
  }

  const Sources& sources_;
  const GraphScope& scope_;
  const CausesResult& result_;
  std::int64_t wall_;
  Use use_;
  std::vector<Advice> advice_;
};

}  // namespace

std::vector<Advice> advice_for(const Sources& sources, const GraphScope& scope,
                               const CausesResult& result) {
  if (scope.tasks.empty()) return {};
  return Adviser(sources, scope, result).all();
}

}  // namespace lapscope::analyzer
