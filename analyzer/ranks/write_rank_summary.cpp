#include "analyzer/ranks/rank_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "analyzer/iterations/find_iterations.h"
#include "analyzer/model/harmless_text.h"
#include "analyzer/ranks/run_steps.h"

namespace lapscope::analyzer {
namespace {

using Json = nlohmann::ordered_json;

constexpr Ns first_resolution = 250;

// The kinds of kernels in the file. Kernels of one kind differ only in their times.
struct KernelKinds {
  std::vector<std::uint32_t> of_kernel;  // by kernel
  Json json = Json::array();
};

Json messages_json(const RankWork& rank, std::size_t& next, std::uint32_t kernel) {
  Json messages = Json::array();
  for (; next < rank.messages.size() && rank.messages[next].collective == kernel; ++next) {
    const RankMessage& one = rank.messages[next];
    messages.push_back({one.communicator, one.peer, one.is_send ? "send" : "receive", one.bytes});
  }
  return messages;
}

KernelKinds kinds_in_file(const RankWork& rank) {
  KernelKinds kinds;
  std::map<std::string, std::uint32_t> numbers;
  std::size_t message = 0;
  for (std::uint32_t k = 0; k < rank.collectives.size(); ++k) {
    const RankCollective& one = rank.collectives[k];
    Json kind = {{"name", one.name},
                 {"kind", name_of(one.kind)},
                 {"bytes", one.bytes},
                 {"communicator", one.communicator}};
    Json messages = messages_json(rank, message, k);
    if (!messages.empty()) kind["messages"] = std::move(messages);
    const auto number = static_cast<std::uint32_t>(numbers.size());
    const auto [known, is_new] = numbers.try_emplace(kind.dump(), number);
    if (is_new) kinds.json.push_back(std::move(kind));
    kinds.of_kernel.push_back(known->second);
  }
  return kinds;
}

// Returns three numbers for each collective, as in "[0,2400,910,1,120,88]": its kind, the ns since
// the start of the previous collective, and its duration in ns.
std::string collectives_text(const RankWork& rank, const KernelKinds& kinds) {
  std::string text;
  Ns before = rank.whole.start;
  for (std::size_t k = 0; k < rank.collectives.size(); ++k) {
    const Interval& own = rank.collectives[k].interval;
    fmt::format_to(std::back_inserter(text), "{}{},{},{}", text.empty() ? "" : ",",
                   kinds.of_kernel[k], own.start - before, own.length());
    before = own.start;
  }
  return "[" + text + "]";
}

// Returns two numbers for each collective, as in "[0,300,1200,250]": the increase of the host time
// since the previous collective, and the lead of the collective, both in ns.
std::string issue_text(const RankWork& rank) {
  std::string text;
  Ns before = 0;
  for (const RankCollective& one : rank.collectives) {
    fmt::format_to(std::back_inserter(text), "{}{},{}", text.empty() ? "" : ",",
                   one.host_time - std::exchange(before, one.host_time), one.lead);
  }
  return "[" + text + "]";
}

// Returns two numbers for each busy interval, as in "[100,4000,30,800]": the ns since the end of
// the previous interval, and its duration in ns.
std::string busy_text(const RankWork& rank, Ns resolution) {
  std::string text;
  Ns before = rank.whole.start;
  const auto put = [&](const Interval& one) {
    fmt::format_to(std::back_inserter(text), "{}{},{}", text.empty() ? "" : ",", one.start - before,
                   one.length());
    before = one.end;
  };
  Interval joined;
  for (const Interval& one : rank.other_work.intervals()) {
    if (joined.length() > 0 && one.start - joined.end < resolution) {
      joined.end = one.end;
      continue;
    }
    if (joined.length() > 0) put(joined);
    joined = one;
  }
  if (joined.length() > 0) put(joined);
  return "[" + text + "]";
}

std::size_t steps_of(const KernelKinds& kinds) {
  const auto repetition = find_repetition(kinds.of_kernel, least_steps_of_run);
  return repetition ? repetition->count() : 0;
}

void write_rank(const RankWork& rank, std::ostream& out) {
  const KernelKinds kinds = kinds_in_file(rank);
  const std::string collectives = collectives_text(rank, kinds);
  const std::size_t budget =
      std::max(rank_summary_least_bytes, rank_summary_step_bytes * steps_of(kinds));
  Ns resolution = rank.resolution;
  std::string busy = busy_text(rank, resolution);
  while (collectives.size() + busy.size() > budget && resolution < rank.whole.length()) {
    resolution = std::max(first_resolution, 2 * resolution);
    busy = busy_text(rank, resolution);
  }
  Json communicators = Json::array();
  for (const RankCommunicator& one : rank.communicators) {
    communicators.push_back({{"id", one.id ? Json(fmt::format("{:016x}", *one.id)) : Json()},
                             {"stream", one.stream},
                             {"rank", one.rank ? Json(*one.rank) : Json()}});
  }
  const Json head = {{"file", rank.file},
                     {"rank", rank.rank},
                     {"ranks", rank.ranks},
                     {"host", rank.host},
                     {"booted_ns", rank.booted},
                     {"device", rank.device},
                     {"device_name", rank.device_name},
                     {"start_ns", rank.whole.start},
                     {"wall_ns", rank.whole.length()},
                     {"evaluated_ns", {rank.judged.start - rank.whole.start, rank.judged.length()}},
                     {"is_steady", rank.is_steady},
                     {"recorder_share", rank.recorder_share},
                     {"trust", rank.trust == Trust::sound ? "sound" : "inconclusive"},
                     {"first_finding", {{"code", rank.own.code}, {"where", rank.own.where}}},
                     {"resolution_ns", resolution},
                     {"names", rank.names},
                     {"communicators", std::move(communicators)},
                     {"kinds", kinds.json}};
  std::string text = harmless_json(head.dump(-1, ' ', false, Json::error_handler_t::replace));
  text.pop_back();
  out << text << ",\n  \"collectives\":" << collectives << ",\n  \"issue\":" << issue_text(rank)
      << ",\n  \"busy\":" << busy << '}';
}

}  // namespace

void write_rank_summary(std::span<const RankWork> ranks, std::ostream& out) {
  out << "{\"schema\":\"" << rank_summary_schema << "\",\"ranks\":[";
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    out << (r == 0 ? "\n" : ",\n");
    write_rank(ranks[r], out);
  }
  out << "\n]}\n";
}

}  // namespace lapscope::analyzer
