#include "readers/tables/read_host.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analyzer/model/ops.h"

namespace lapscope::analyzer {
namespace {

constexpr const char* communicator_id = "NCCL communicator ID";

// The fields of NCCL's payloads, named as in NCCL's schemas.
struct Payload {
  std::optional<std::uint64_t> communicator;
  std::optional<std::int64_t> bytes;
  std::optional<std::int64_t> peer;
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> ranks;
};

template <class Number>
std::optional<Number> entry(const nlohmann::json& payload, const char* name) {
  const auto found = payload.find(name);
  if (found == payload.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<Number>();
}

Payload payload_of(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return {};
  return {entry<std::uint64_t>(json, communicator_id),
          entry<std::int64_t>(json, "Message size [bytes]"), entry<std::int64_t>(json, "Peer rank"),
          entry<std::int64_t>(json, "Rank"), entry<std::int64_t>(json, "No. of ranks")};
}

constexpr int most_ranks = 1 << 20;

std::optional<int> rank_of(std::optional<std::int64_t> value) {
  if (!value || *value < 0 || *value > most_ranks) return std::nullopt;
  return static_cast<int>(*value);
}

class Reader {
 public:
  Reader(const Calls& calls, const Names& names) : calls_(calls), names_(names) {}

  ReadMessages read(std::vector<CommunicationRange> ranges) {
    std::sort(ranges.begin(), ranges.end(),
              [](const CommunicationRange& a, const CommunicationRange& b) {
                return std::tuple(a.global_tid, a.interval.start, -a.interval.end, a.name) <
                       std::tuple(b.global_tid, b.interval.start, -b.interval.end, b.name);
              });
    for (std::size_t r = 0; r < ranges.size(); ++r) {
      if (r == 0 || ranges[r].global_tid != ranges[r - 1].global_tid) begin_thread(ranges[r]);
      take(ranges[r]);
    }
    std::stable_sort(result_.messages.begin(), result_.messages.end(),
                     [](const Message& a, const Message& b) { return a.call < b.call; });
    std::ranges::sort(result_.communicators, {},
                      [](const Communicator& one) { return std::tie(one.id, one.rank); });
    return std::move(result_);
  }

 private:
  void begin_thread(const CommunicationRange& range) {
    groups_ = 0;
    pending_.clear();
    const auto found = std::find_if(
        calls_.threads.begin(), calls_.threads.end(),
        [&range](const Calls::Thread& one) { return one.global_tid == range.global_tid; });
    thread_ = found == calls_.threads.end() ? nullptr : &*found;
  }

  void take(const CommunicationRange& range) {
    const std::string& name = names_.text(range.name);
    if (name == "ncclGroupStart") {
      ++groups_;
    } else if (name == "ncclGroupEnd") {
      if (groups_ > 0) --groups_;
      if (groups_ == 0) end_group(range.interval);
    } else if (range.payload != no_index) {
      take_payload(range);
    }
  }

  void take_payload(const CommunicationRange& range) {
    const auto [known, is_new] = payloads_.try_emplace(range.payload);
    if (is_new) known->second = payload_of(names_.text(range.payload));
    const Payload& payload = known->second;
    if (!payload.communicator) return;
    const std::optional<int> rank = rank_of(payload.rank);
    const std::optional<int> ranks = rank_of(payload.ranks);
    if (rank && ranks && *rank < *ranks) note({*payload.communicator, *rank, *ranks});
    if (!payload.bytes || *payload.bytes < 0) return;
    const Message message{0, range.name, *payload.communicator, *payload.bytes,
                          rank_of(payload.peer)};
    if (groups_ > 0) {
      pending_.push_back(message);
    } else {
      add(message, launches_in(range.interval));
    }
  }

  void note(const Communicator& one) {
    const auto known = std::find(result_.communicators.begin(), result_.communicators.end(), one);
    if (known == result_.communicators.end()) result_.communicators.push_back(one);
  }

  void end_group(const Interval& interval) {
    const Launches launches = launches_in(interval);
    if (launches.kernels == 1 || pending_.size() == 1) {
      for (const Message& message : pending_) add(message, launches);
    }
    pending_.clear();
  }

  // The launches inside an interval. `calls` has both the runtime launches and the driver launches
  // inside them, because an op may refer to either. `kernels` is the number of outermost launches.
  struct Launches {
    std::vector<std::uint32_t> calls;
    std::size_t kernels = 0;
  };

  void add(Message message, const Launches& launches) {
    for (const std::uint32_t call : launches.calls) {
      message.call = call;
      result_.messages.push_back(message);
    }
  }

  Launches launches_in(const Interval& interval) const {
    Launches launches;
    if (thread_ == nullptr) return launches;
    const auto take = [&](std::uint32_t first, std::uint32_t last) {
      const auto begin = calls_.start.begin();
      auto at = std::lower_bound(begin + first, begin + last, interval.start);
      for (; at != begin + last && *at < interval.end; ++at) {
        const auto call = static_cast<std::uint32_t>(at - begin);
        if (calls_.kind[call] == CallKind::launch) launches.calls.push_back(call);
      }
    };
    take(thread_->first, thread_->last);
    launches.kernels = launches.calls.size();
    take(thread_->last, thread_->end);
    return launches;
  }

  const Calls& calls_;
  const Names& names_;
  ReadMessages result_;
  std::unordered_map<std::uint32_t, Payload> payloads_;
  const Calls::Thread* thread_ = nullptr;
  int groups_ = 0;                // number of open groups
  std::vector<Message> pending_;  // messages of the open groups
};

}  // namespace

bool is_payload_of_nccl(std::string_view json) {
  return json.find(communicator_id) != std::string_view::npos;
}

ReadMessages read_messages(std::vector<CommunicationRange> ranges, const Calls& calls,
                           const Names& names) {
  return Reader(calls, names).read(std::move(ranges));
}

}  // namespace lapscope::analyzer
