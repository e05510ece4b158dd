#pragma once

#include <cstdint>
#include <span>
#include <string_view>

// Every number that decides what is found, predicted or told and that CUPTI does not tell. The
// table in docs/causes.md is made of it (tests/approve.sh). What a trace has examples of is
// measured there; Graph::assumed names those that stand in for what it has none of.
namespace lapscope::analyzer {

// A build for tests/bench/ablate.py can have other numbers and leave out rules: ablation.h.
#ifdef LAPSCOPE_ABLATION
#define LAPSCOPE_ABLATED mutable
#else
#define LAPSCOPE_ABLATED
#endif

enum class AssumedUnit { ns, bytes, bytes_per_s, share, times, count };

struct Assumption {
  std::string_view name;  // as below
  AssumedUnit unit;
  double number;
  std::string_view meaning;
  std::string_view source;    // how it was obtained, or "chosen: " and why
  std::string_view measured;  // the GPU, the command and the date; empty: it was not measured
  std::string_view option;    // that changes it; empty when none does
#ifdef LAPSCOPE_ABLATION
  void (*set)(const Assumption& one, double number) = nullptr;
#endif
};

// One of them, which code uses as the number that it is.
template <class Number>
struct Assumed : Assumption {
  LAPSCOPE_ABLATED Number value;

  constexpr Assumed(Number value_of, AssumedUnit unit_of, std::string_view name_of,
                    std::string_view meaning_of, std::string_view source_of,
                    std::string_view measured_of = "", std::string_view option_of = "")
      : Assumption{name_of,     unit_of,  static_cast<double>(value_of), meaning_of, source_of,
                   measured_of, option_of},
        value(value_of) {
#ifdef LAPSCOPE_ABLATION
    set = [](const Assumption& one, double number) {
      static_cast<const Assumed&>(one).value = static_cast<Number>(number);
    };
#endif
  }
  constexpr operator Number() const { return value; }
};

// In the order of the table.
std::span<const Assumption* const> assumptions();

namespace assumed {

using Long = Assumed<std::int64_t>;
using Count = Assumed<std::uint32_t>;
using Real = Assumed<double>;
using enum AssumedUnit;
inline constexpr std::string_view h200 = "H200, driver 580.159.04, CUDA 13.0";
inline constexpr std::string_view traces =
    "H200: tests/bench/measure_assumptions.py tests/traces, 2026-11-22";
inline constexpr std::string_view recording =
    "H200: tests/bench/collector/record_kinds.py, 2026-11-22";

// Times of the host and of the way to the GPU.

inline constexpr Long clock_tolerance(
    2'000, ns, "clock_tolerance",
    "the clocks of host and GPU agree to this: an op that ends so little after a call, or after "
    "the next op began, has ended before",
    "chosen: what CUPTI's fit of the two clocks may be off by; no two ops of a stream overlap by "
    "any",
    traces);
inline constexpr Long clocks_apart(
    50'000, ns, "clocks_apart",
    "an op that starts so much before the call that issued it, or ends so much after the "
    "recording, "
    "cannot have: it is left out of every figure. Less is the error of CUPTI's fit of the two "
    "clocks",
    "chosen: none of the ops starts before its call, or ends after the recording; offsets of 9 us "
    "are known from other machines",
    traces);
inline constexpr Count most_dependents(
    16, count, "most_dependents",
    "so many kernels of a stream begin and end while another one of it runs, at most, where they "
    "may be launched before it ends (programmatic dependent launch)",
    "chosen: each of them waits for the one before, and a multiprocessor has room for few");
inline constexpr Long longest_latency(
    20'000, ns, "longest_latency",
    "the delay between the last release and the start of an op that counts as the path to the GPU "
    "(launch latency), and is replayed as it was; what is longer is unexplained",
    "chosen: twice what it takes: from the start of cudaLaunchKernel to the kernel on an idle GPU "
    "9.3 us (median of 342), 5.6 at best",
    traces);
inline constexpr Long latency_from_host(
    2'000, ns, "latency_from_host",
    "from when a call hands its op over to the start of that, where the trace has no op that "
    "waited for the host alone",
    "from the end of cudaLaunchKernel to its kernel on an idle GPU 1.9 us (median of 342)", traces);
inline constexpr Long latency_between_ops(
    1'300, ns, "latency_between_ops",
    "from the end of an op to the start of the one that waits for it, where the trace has no such "
    "pair",
    "chosen with the first recorded pairs; 1.0 us from kernel to kernel of a stream that were "
    "issued long before (lower quartile of 940), 1.2 in the median, waits for events among them",
    traces);
inline constexpr Long latency_in_graph(
    0, ns, "latency_in_graph", "the same from node to node of a CUDA graph",
    "bare graphs of kernels of one block, 0.6 to 33 us long, took 0 to 83 ns more per kernel than "
    "such kernels last when they are recorded one by one, and those of tiny-kernels on another "
    "machine 36 ns less: what recording adds to a kernel is about the way to the next",
    "H200: tests/bench/collector/graph_periods.py, 2026-11-22");
inline constexpr Long start_at_once(
    10'000, ns, "start_at_once",
    "a kernel that starts so soon after its release did not wait for room on the multiprocessors",
    "chosen: what the path to the GPU takes (longest_latency); later starts may have waited");
inline constexpr Long quick_call(
    5'000, ns, "quick_call",
    "what a call takes that only enqueues (cudaLaunchKernel, cudaMemcpyAsync) or finds done what "
    "it waits for (cudaStreamSynchronize), where the trace has no launches that returned before "
    "their kernels ended",
    "launches 5.6 us (median of 2,104), synchronizations that find all done 7.0 (of 12)", traces);
inline constexpr Long least_load(
    100'000, ns, "least_load",
    "in an export without records of code being loaded, the first launch of a kernel that takes "
    "this long loads it",
    "public exports of 21 releases of Nsight Systems: first launches take 5 to 90 us, or 105 us to "
    "41 ms; later ones 2 to 31 us (medians); not measured on a GPU of ours");
inline constexpr Real load_to_launch(
    10, times, "load_to_launch",
    "likewise: and this many times as long as the median of later launches",
    "chosen: launches that wait for a full queue are long, first or not");
inline constexpr Long after_host_function(
    5'000, ns, "after_host_function",
    "from the return of a host function (cudaLaunchHostFunc) to the start of what follows it in "
    "its stream",
    "chosen: what a launch takes; no record has the times of the function");
inline constexpr Long gap_between_calls(
    2'000, ns, "gap_between_calls",
    "what a thread takes between two calls once its own work is done elsewhere",
    "chosen: less than a call takes");
inline constexpr Long gap_within_graph(
    20'000, ns, "gap_within_graph",
    "calls of a thread that follow each other no later than this could be captured into one CUDA "
    "graph",
    "chosen: four launches; after a longer pause the host did something else");
inline constexpr Long dealing_out(
    1'000, ns, "dealing_out",
    "while the blocks of a kernel are dealt out to the multiprocessors, those of a kernel in a "
    "stream of higher priority go first",
    "chosen: kernels that started 0.1 and 0.2 us after one of lower priority got their room at its "
    "expense",
    "H200: tests/gpu/stream_suite.sh (priority), 2026-11-21");
inline constexpr Long clock_step(
    1'000'000, ns, "clock_step",
    "the system clock was set if it moved by more against the monotonic one during a recording",
    "chosen: a clock that is steered and not set moves by 0.5 ms a second at most");

// Copies, multiprocessors, queues.

inline constexpr Long large_copy(
    1 << 20, bytes, "large_copy",
    "a copy from this on takes its time for bandwidth; what a smaller one takes is mostly latency",
    "chosen: 1 MiB takes 19 us at 55 GB/s, ten times the latency_from_host", traces);
inline constexpr Real share_of_link(
    0.88, share, "share_of_link",
    "what copies of page-locked memory reach of the specified rate of the host's link, where the "
    "trace has none of large_copy either way",
    "55.3 of 63 GB/s at best (PCIe gen 5 x16); medians are 54.5 to the device and 54.9 to the host",
    traces);
inline constexpr Real both_directions(
    0.92, share, "both_directions",
    "how fast copies between host and device go while both directions run, of what they reach "
    "alone, where the trace does not show both",
    "51.4 instead of 54.5 GB/s to the device, 49.5 instead of 54.9 to the host (medians)", traces);
inline constexpr Real least_both_directions(
    0.4, share, "least_both_directions",
    "what the trace shows of the same counts from this on up to 1",
    "chosen: two directions that share one link keep half each, and a little less");
inline constexpr Real alone_beside(
    0.05, share, "alone_beside",
    "a copy beside the other direction for no more of its time counts as alone, one beside it for "
    "all but this as in both directions; a kernel beside others for no more counts as alone, and "
    "one that takes no longer than this as not slowed down",
    "chosen: the rate is off by a twentieth of the difference at most");
inline constexpr Real mostly_beside(
    0.5, share, "mostly_beside",
    "a kernel beside others for so much of its time is an example of what they do to it",
    "chosen: of one that is so for less, what it takes alone hides what the others do");
inline constexpr Real alike_lengths(
    0.2, share, "alike_lengths",
    "kernels of one name and geometry do the same if the lengths of the middle half of them differ "
    "by no more of the median; what they demand is then fitted",
    "chosen: chains of multiply-adds (docs/causes.md) fitted to two, four and eight at once differ "
    "by a fifth at most");
inline constexpr Long shares_of_one(
    4, times, "shares_of_one",
    "a multiprocessor uses so many times its share of the device's throughput at most",
    "1.11 times: 4 of 33 blocks of multiply-adds on 132; chosen for what reads memory: 64 B a "
    "clock "
    "from L2 at 1.98 GHz are 3.9 times a 132nd of what a copy reaches",
    "H200, driver 580.159.04, CUDA 13.0, 2026-11-22");
inline constexpr Count most_examples(
    64, count, "most_examples",
    "kernels of a class that a demand is fitted to at most, and sets of kernels beside one of them",
    "chosen: bounds the time of the analysis; twenty times enough_examples");
inline constexpr Real doubtful_alone(
    0.02, share, "doubtful_alone",
    "stretch and overlap_ratio_alone are shown where what kernels take alone is known but for this "
    "part of their time",
    "chosen: the ratio_tolerance");
inline constexpr Count enough_examples(
    3, count, "enough_examples",
    "the median of what a trace shows stands for it from so many examples on",
    "chosen: the least of which one may be odd");
inline constexpr Real engine_overlap(
    0.01, share, "engine_overlap",
    "a copy engine runs one op at a time if no more of its busy time was seen to overlap",
    "chosen: times of ops that follow each other may overlap by the clock_tolerance");
inline constexpr Real fastest_link(1e17, bytes_per_s, "fastest_link",
                                   "of a copy that is quicker the times are at fault",
                                   "chosen: beyond what any link or memory carries");
inline constexpr Count kernels_at_once(
    128, count, "kernels_at_once",
    "no GPU runs more kernels at once; the shape of those beyond is not believed",
    "CUDA C++ Programming Guide, maximum number of resident grids per device up to compute "
    "capability 9.0");
inline constexpr Long register_unit(256, count, "register_unit",
                                    "registers are given to a warp in such units",
                                    "CUDA occupancy calculator, compute capability 3.0 to 9.0");
inline constexpr Long system_shared_memory(
    1 << 10, bytes, "system_shared_memory",
    "shared memory that CUDA takes for itself of each block",
    "CUDA C++ Programming Guide, compute capability 8.0 to 9.0");
inline constexpr Count most_connections(
    32, count, "most_connections", "hardware queues that CUDA_DEVICE_MAX_CONNECTIONS can ask for",
    "CUDA C++ Programming Guide, environment variables", "", "whatif --fix queue-alias:N");
inline constexpr Count usual_connections(
    8, count, "usual_connections",
    "hardware queues that streams are dealt out to unless CUDA_DEVICE_MAX_CONNECTIONS asks for "
    "others; fewer streams share none",
    "CUDA C++ Programming Guide, environment variables");
inline constexpr Count internal_streams(
    5, count, "internal_streams",
    "streams that CUDA makes for itself with each context, right after its null stream",
    "STREAM records: the first stream that a program makes has an id so many above the null "
    "stream's",
    "H200: tests/gpu/collector_records.py, 2026-11-21");
inline constexpr Count streams_for_one(
    4, count, "streams_for_one", "streams that one stream becomes",
    "chosen: a copy in, a kernel and a copy out of three tiles at once, and one tile that waits",
    "", "whatif --fix stream-order:N");
inline constexpr Count buffers_for_copies(
    2, count, "buffers_for_copies",
    "buffers in turn where only the copies one way get a stream of their own",
    "chosen: one is copied while kernels use the other");
inline constexpr Assumed<float> least_covered(
    0.1F, share, "least_covered",
    "a kernel that leaves multiprocessors to communication keeps so many of them",
    "chosen: with fewer, a length in proportion would say nothing");

// What counts as evidence.

inline constexpr Real majority(
    0.5, share, "majority",
    "what holds more of the ops, work, time or runs than this is what they are about: a loop, an "
    "NVTX range, kernels that fill the GPU, a finding of several runs",
    "chosen: no two things can");
inline constexpr Long launches_an_op(
    5, times, "launches_an_op",
    "launch-overhead is about ops shorter than so many of their own launches",
    "chosen: a graph saves a launch, which is less than a fifth of a longer op");
inline constexpr Long least_node(
    10'000, ns, "least_node", "graph-edge is about nodes that take this on average",
    "chosen: side by side, shorter ones gain less than what a node's start takes");
inline constexpr Count least_rounds(3, count, "least_rounds",
                                    "a call, or work of the host, recurs if it is made so often "
                                    "with work for the device in between",
                                    "chosen: twice is no pattern");
inline constexpr Real least_result(
    0.1, share, "least_result",
    "of what it copied in: a tile copies so much out at least, so that its results are not kept on "
    "the device for the next",
    "chosen: a sum or a loss is a thousandth or less of what it is made from, and what is filtered "
    "or coded a tenth or more");
inline constexpr Long most_of_a_value(
    1024, bytes, "most_of_a_value",
    "a copy to the host of no more is of a value that the host reads if it waits for it: a count, "
    "a flag, a loss",
    "chosen: frameworks copy 1 to 8 bytes for each such value; tiles of recorded pairs are 0.4 MB "
    "and more");
inline constexpr Long uneven_rounds(
    4, times, "uneven_rounds",
    "a round that takes longer than so many times the third longest is no part of the loop",
    "chosen: of the tiles of a loop one may be larger");
inline constexpr Count least_iterations(
    4, count, "least_iterations",
    "an NVTX range or a sequence of ops that comes so often is an iteration",
    "chosen: without the first and the last, two are left to compare");
inline constexpr Long warm_up(
    2, times, "warm_up",
    "the first iterations of a loop that take longer than so many times the median are warm-up",
    "chosen: code is loaded and memory allocated in them, which takes many times as long");
inline constexpr Real marked_share(
    0.1, share, "marked_share",
    "of the GPU work: an NVTX range that holds less is not what a program is for",
    "chosen: a library's range, or a stage beside the others; the measured region of every case of "
    "stream_suite holds 0.2 or more",
    "", "--range");
inline constexpr Count most_steps_back(
    1000, count, "most_steps_back",
    "calls before a launch that are looked through for what kept its thread",
    "chosen: what kept it for longer is named after the nearest ones; bounds the time of the "
    "analysis");
inline constexpr Real bound_link(
    0.95, share, "bound_link",
    "a link that is busy for this part of the time is the bound, however copies are issued",
    "chosen: what is left are the few us between copies");
inline constexpr Real bound_engine(
    0.85, share, "bound_engine",
    "an engine that is busy for this part of the time bounds the program, if nothing is found",
    "pipelines of tests/traces that overlap all they can keep it busy for 81 to 87 %: the first "
    "tile's way in and the last one's way out have nothing beside them",
    "H200: tests/gpu/stream_suite.sh, 2026-11-21");

// Whose work an NVTX range is.

inline constexpr Real helper_pauses(
    0.9, share, "helper_pauses",
    "of the ranges that a thread opens: if another thread waits during so many of them, they are "
    "part of its own range",
    "chosen: one that waits does so in all of them, but for a call that nobody thought of", "",
    "--range-threads");
inline constexpr Real filled_pause(
    0.25, share, "filled_pause",
    "of a pause of a thread: where another thread's ranges fill less of it, it does not wait for "
    "them",
    "chosen: autograd's ranges fill 0.55 to 0.98 of the pauses of backward(), a loader's mostly "
    "less than 0.2 of the pauses of a training loop beside it",
    "H200: tests/gpu/programs/range_threads.py, 2026-11-22");
inline constexpr Real own_pauses(
    0.5, share, "own_pauses",
    "the same: up to here the threads work beside each other; what lies between is not decided",
    "chosen: who waits for most of them may well wait for all", "", "--range-threads");

// What is worth telling.

inline constexpr Real least_saving(
    0.03, share, "least_saving",
    "of the wall time: a fix that saves less is no finding, and what takes less no advice",
    "docs/what-if-accuracy.md: programs without a planted mistake replay to within 3 %, less is "
    "noise",
    "H200: tests/gpu/stream_suite.sh, 2026-11-21", "--min-saving");
inline constexpr Long least_saving_ns(10'000, ns, "least_saving_ns",
                                      "a fix that saves less is no finding",
                                      "chosen: the start of one kernel (longest_latency)", "",
                                      "--min-saving-us");
inline constexpr Count host_functions_named(
    3, count, "host_functions_named",
    "of the functions in which the host was between its calls, so many are named",
    "chosen: a sentence holds no more");
inline constexpr Real little_alone(
    0.1, share, "little_alone",
    "where no fix alone saves this much of the wall time, two are tried together",
    "chosen: what saves more is where to begin");
inline constexpr Count pairs_tried(2, count, "pairs_tried",
                                   "fixes that are tried first, and with each of them next",
                                   "chosen: those that blocked most; every pair is a replay");
inline constexpr Long more_together(
    3, times, "more_together", "two fixes are a finding if they save so many times what one does",
    "chosen: else the finding of one is what to begin with");
inline constexpr Real most_unaccounted(
    0.1, share, "most_unaccounted",
    "of the wall time: if the replay is off by more, or more is unexplained, what is found means "
    "little and the verdict is inconclusive",
    "chosen: the worst prediction of a recorded pair is off by less (docs/what-if-accuracy.md)",
    h200, "most_replay_error of a gate");
inline constexpr Real noteworthy_unexplained(
    0.02, share, "noteworthy_unexplained",
    "of the wall time: what is unexplained is shown from this on",
    "docs/what-if-accuracy.md: the range of every recorded case stays below",
    "H200: tests/gpu/stream_suite.sh, 2026-11-21");
inline constexpr Real noteworthy_replay(
    0.01, share, "noteworthy_replay",
    "of the wall time: what the replay of the unchanged run is off by is shown from this on, and "
    "what two ends of a prediction are apart",
    "chosen: a third of the least_saving");
inline constexpr Real noteworthy_rest(0.05, share, "noteworthy_rest",
                                      "of the run: what came before or after the steady state is "
                                      "shown from this on, and what most of "
                                      "that was",
                                      "chosen: less would not change where to look");
inline constexpr Real large_part(
    0.2, share, "large_part",
    "of the wall time: a copy that runs alone for as long is worth tiles, and a wait for the host "
    "of this length is what a program is about",
    "chosen: a pipeline of two tiles hides half of it, three times the least_saving");
inline constexpr Real little_work(
    0.01, share, "little_work",
    "of the time from the first CUDA call to the last: where all that the GPU does lies in less, "
    "or a few_ops take less, there is next to no work to evaluate",
    "chosen: a third of the least_saving, if all of it went");
inline constexpr Count few_ops(10, count, "few_ops", "the same: fewer ops than these are few",
                               "chosen: no loop shows in less");
inline constexpr Long longest_fault(
    1'000'000, ns, "longest_fault",
    "a page of managed memory that comes to the host so long after the host has touched it comes "
    "for another reason",
    "chosen: the driver takes some 10 us to begin, and some thousand faults may be ahead");
inline constexpr Real most_empty_copies(
    0.1, share, "most_empty_copies",
    "of the calls that copy or set memory: so many without an op are taken for copies of no bytes, "
    "if all records that came are there",
    "chosen: CUPTI has no record of a copy of no bytes, which programs make now and then");
inline constexpr Real overhead_remark(
    0.01, share, "overhead_remark",
    "of the time in which the GPU was in use: if CUPTI blocked threads for this, it is shown",
    "chosen: less is within the scatter of runs");
inline constexpr Real overhead_warning(0.1, share, "overhead_warning", "the same as a warning",
                                       "chosen: savings of a few percent drown in it");
inline constexpr Long wave_overhead(
    410, ns, "wave_overhead",
    "what CUPTI adds to each wave of a kernel's blocks to take the kernel's times",
    "262,144 blocks of 256 threads in 248 waves take 1,016.5 instead of 915.4 us",
    "H200: tests/bench/collector/kernel_lengths.py, 2026-11-22");
inline constexpr Long shortest_gap(
    1'000, ns, "shortest_gap", "gaps of a device that are shorter are summed up and not explained",
    "chosen: the time between two kernels of a stream (latency_between_ops)", "", "--min-gap");
inline constexpr Real least_idle_share(
    0.01, share, "least_idle_share",
    "of the wall time: from this on a cause of idle time explains why a gate failed",
    "chosen: three such lines are shown, and less explains nothing");

inline constexpr Real least_own_part(
    0.1, share, "least_own_part",
    "of a call, and of the time between two, that is left when the recorder's own time is taken "
    "off",
    "chosen: a calibration is of calls that do little, and no call takes no time");
inline constexpr Long least_pause(
    20'000, ns, "least_pause",
    "that a thread is outside calls: from this on recording adds more to its next call of a kind",
    "after 20 us recording adds what it adds without a pause, after 150 us 1.6 to 2.5 times as "
    "much: cold_calls, 2026-11-23",
    recording);
inline constexpr Long longest_pause(
    3'000'000, ns, "longest_pause",
    "and from this on what a calibration finds that it adds after so long a sleep",
    "after 500 us recording adds 2 to 6 times as much as without a pause, after 3 ms 8 times, and "
    "to the first calls of threads that were woken up 8 times: cold_calls, 2026-11-23",
    recording);
inline constexpr Real most_at_once(0.1, share, "most_at_once",
                                   "of the calls that would begin by chance while another thread "
                                   "of the process is in one: where no "
                                   "more do, the threads take turns, and what recording adds to "
                                   "one it adds to what the others wait",
                                   "chosen: 0 for a training loop and its backward pass, 1 for "
                                   "threads that do not heed each other");
inline constexpr Real least_by_chance(
    5, count, "least_by_chance",
    "where fewer calls would begin so by chance, nobody knows whether threads take turns",
    "chosen: of 5 expected by chance none is seen once in 150 cases");
inline constexpr Long least_turn(
    20'000, ns, "least_turn",
    "a thread waits for another one in a time between two of its calls that is as long at least, "
    "if the two take turns (most_at_once, least_by_chance)",
    "chosen: a thread that is woken up takes 5 to 60 us to go on; what is shorter changes little");
inline constexpr Real long_pause(
    0.5, times, "long_pause",
    "a pause between the calls of a thread in which so many values come to the host on average, if "
    "they come at any time of its pauses: one that waits for values has one in each such pause",
    "chosen: in a shorter one there would often be none by chance");
inline constexpr Count most_partners(
    8, count, "most_partners",
    "of the threads whose calls most often ended last before it went on: those that a thread may "
    "take turns with",
    "chosen: bounds the time of the analysis");
inline constexpr Real most_cost_spread(
    0.5, share, "most_cost_spread",
    "of what recording adds to the calls of a trace: a calibration of which half of the rounds lie "
    "further apart is not used",
    "chosen: off by a quarter, which is half of it, a correction by 40 % of the wall time is off "
    "by 10 %");
inline constexpr Real least_misfit(
    0.03, share, "least_misfit",
    "how far a corrected range is off its bare runs at least where what recording adds to calls is "
    "fitted to them",
    "chosen: as far as corrections are off where nothing is wrong with them");
inline constexpr Real least_cost_factor(
    0.5, count, "least_cost_factor",
    "by what a calibration is multiplied at least to fit bare runs",
    "chosen: calibrations in fresh processes put a launch at 1.1 to 1.4 us on one machine, and at "
    "2.7 on a slower one");
inline constexpr Real most_cost_factor(
    2, count, "most_cost_factor", "and at most",
    "slow processes of a machine took 2.07 us more for a launch, quick ones 1.07, where the "
    "calibration found 1.18");
inline constexpr Real most_added(
    0.2, share, "most_added",
    "of the time without the recorder: if recording adds more, and neither a calibration nor bare "
    "runs show how much, answers that change with it are inconclusive",
    "chosen: the 10 % that a correction may be off by are half of it");
inline constexpr Real most_correction_error(
    0.1, share, "most_correction_error",
    "of the bare time: where a corrected range is off by more, answers that change with the "
    "correction are inconclusive",
    "chosen: as most_unaccounted, beyond which a replay means little");
inline constexpr Long added_to_launch(
    1'000, ns, "added_to_launch",
    "what recording adds to the launch of a kernel, where nobody calibrated (`lapscope doctor "
    "--calibrate`)",
    "998 (794 to 1,740; medians of 12 runs) to cudaLaunchKernel", recording);
inline constexpr Long added_to_copy(
    650, ns, "added_to_copy", "the same, to a copy and to a memset",
    "638 and 692 to cudaMemcpyAsync to the device and back, 617 to cudaMemsetAsync", recording);
inline constexpr Long added_to_call(
    350, ns, "added_to_call", "the same, to any other call",
    "328 to cudaEventRecord, 359 to cudaStreamWaitEvent, 355 to cudaStreamSynchronize, 366 to "
    "cudaEventQuery, 390 each to cudaMalloc and cudaFree",
    recording);
inline constexpr Long added_to_node(900, ns, "added_to_node",
                                    "the same, to the launch of a graph, for each of its nodes",
                                    "56.5 us to cudaGraphLaunch of 64 kernels", recording);
inline constexpr Long added_to_range(150, ns, "added_to_range", "the same, to an NVTX range",
                                     "148 to nvtxRangePush and nvtxRangePop", recording);

// Large traces.

inline constexpr Count sample_ops(65'536, count, "sample_ops",
                                  "causes of an interval with more than twice as many ops, or as "
                                  "many calls, are found in a sample "
                                  "of so many ops",
                                  "chosen: their graph and its replays take a second and 60 MB", "",
                                  "--sample");
inline constexpr Count sample_intervals(
    16, count, "sample_intervals", "the sample is of so many intervals, evenly spread",
    "chosen: each has hundreds of iterations of most loops, and what is cut off at its ends is "
    "little of it");

// Runs compared.

inline constexpr Real tolerance(0.05, share, "tolerance",
                                "a measure may be worse than its baseline by this part of it",
                                "a convention: docs/ci.md shows how to find one's own", "",
                                "--tolerance");
inline constexpr Real ratio_tolerance(0.02, share, "ratio_tolerance", "or, of a ratio, by this",
                                      "a convention, as above", "", "--tolerance");
inline constexpr Count most_repeats(50, count, "most_repeats",
                                    "repeats of a run, or instances of a launch, that are compared",
                                    "chosen: the exact test of their ranks takes the cube of it");
inline constexpr Count most_launches(
    1000, count, "most_launches", "launches of an iteration that are matched one by one",
    "chosen: beyond it nobody looks at one launch, and to match two sequences takes the square of "
    "it");
inline constexpr Real least_margin(
    0.02, share, "least_margin",
    "a gate that is written from runs leaves ratios this margin at least",
    "chosen: the ratio_tolerance; near 0 a relative one would be missed by the next run");
inline constexpr Real chance(
    0.05, share, "chance",
    "a difference between two sets of runs that noise makes as often is no change",
    "a convention of statistics");
inline constexpr Real least_launch_change(
    0.05, share, "least_launch_change",
    "a launch of a kernel that takes so much longer or shorter is distinguished from the others of "
    "its kernel",
    "chosen: GPU times repeat to within 0.5 %, ten times that is no noise", h200);

}  // namespace assumed
}  // namespace lapscope::analyzer
