#include "analyzer/ranks/rank_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "analyzer/iterations/find_iterations.h"
#include "analyzer/model/harmless_text.h"
#include "analyzer/model/json_fields.h"
#include "analyzer/model/limits.h"
#include "analyzer/model/trace.h"
#include "analyzer/ranks/run_steps.h"

namespace lapscope::analyzer {
namespace {

using Json = nlohmann::ordered_json;

// The latest accepted time, in the year 2116. So the difference of two accepted times fits into 64
// bits.
constexpr Ns latest_start = Ns{1} << 62;
// The greatest number of messages of one rank. A kernel that exchanges data with all of 1,024 ranks
// has 2,048 messages.
constexpr std::size_t most_messages = std::size_t{1} << 22;
constexpr Ns first_resolution = 250;

// Returns a function that reads an index from a node. The function throws if the index is negative
// or not less than `size`.
auto below(std::size_t size) {
  return [size](const JsonNode& node) {
    const std::int64_t index = node.integer();
    if (index < 0 || static_cast<std::size_t>(index) >= size) {
      throw JsonMismatch("an index is beyond its table");
    }
    return static_cast<std::uint32_t>(index);
  };
}

int int_from_zero(const JsonNode& node) { return static_cast<int>(below(INT32_MAX)(node)); }

std::int64_t not_negative(const JsonNode& node) {
  const std::int64_t number = node.integer();
  if (number < 0) throw JsonMismatch("a size or a time is negative");
  return number;
}

Share read_share(const JsonNode& node) {
  const Share share = node.number();
  if (!(share >= 0 && share <= 1)) throw JsonMismatch("a share is not between 0 and 1");
  return share;
}

// Returns the sum of the time `from` and the duration `by`. Throws if this sum is more than
// latest_time after the start of the rank.
Ns later(Ns from, Ns by, const RankWork& rank) {
  if (by > latest_time || from - rank.whole.start > latest_time - by) {
    throw JsonMismatch("an instant is later than can be");
  }
  return from + by;
}

std::optional<std::uint64_t> read_id(const JsonNode& node) {
  if (node.is_null()) return std::nullopt;
  try {
    return std::stoull(node.text(), nullptr, 16);
  } catch (const std::logic_error&) {
    throw JsonMismatch("the id of a communicator is no number");
  }
}

Json id_json(const std::optional<std::uint64_t>& id) {
  return id ? Json(fmt::format("{:016x}", *id)) : Json();
}

}  // namespace

void fields(JsonIo& io, RankCommunicator& one) {
  io("id", one.id, read_id, id_json);
  io("stream", one.stream, below(limits::streams_of_device));
  io("rank", one.rank, [](const JsonNode& node) {
    return node.is_null() ? std::nullopt : std::optional(int_from_zero(node));
  });
}

void fields(JsonIo& io, OwnFinding& own) {
  io("code", own.code, kept_text);
  io("where", own.where, kept_text);
  io.added("function", own.function, kept_text);
}

void fields(JsonIo& io, LostBeside& lost) {
  io("least", lost.least, read_share);
  io("most", lost.most, read_share);
  if (lost.least > lost.most) throw JsonMismatch("the least loss is more than the most");
}

// The fields of a rank, without its communication.
void fields(JsonIo& io, RankWork& rank) {
  io("file", rank.file, kept_text);
  io("rank", rank.rank, kept_text);
  io("ranks", rank.ranks, int_from_zero);
  io("host", rank.host, kept_text);
  io.added("booted_ns", rank.booted,
           [](const JsonNode& node) { return std::max<Ns>(0, node.integer()); });
  io("device", rank.device);
  io("device_name", rank.device_name, kept_text);
  io("start_ns", rank.whole.start, [](const JsonNode& node) {
    const Ns start = node.integer();
    if (start < 0 || start > latest_start - 2 * latest_time) {
      throw JsonMismatch("start_ns cannot be");
    }
    return start;
  });
  io(
      "wall_ns", rank.whole.end,
      [&rank](const JsonNode& node) { return later(rank.whole.start, node.integer(), rank); },
      [&rank](Ns end) { return end - rank.whole.start; });
  io(
      "evaluated_ns", rank.judged,
      [&rank](const JsonNode& node) {
        const std::vector<std::int64_t> judged = node.quantities();
        if (judged.size() != 2) throw JsonMismatch("evaluated_ns is not two numbers");
        const Ns start = later(rank.whole.start, judged[0], rank);
        return Interval{start, later(start, judged[1], rank)};
      },
      [&rank](const Interval& judged) {
        return Json{judged.start - rank.whole.start, judged.length()};
      });
  io("is_steady", rank.is_steady);
  io("recorder_share", rank.recorder_share, read_share);
  const char* const of_host = "host_recorder_share";
  if (!io.has(of_host, true)) rank.host_recorder_share = rank.recorder_share;
  io.added(of_host, rank.host_recorder_share, read_share);
  io.added("lost_beside_communication", rank.lost);
  io.one_of("trust", rank.trust, {Trust::sound, Trust::inconclusive});
  io("first_finding", rank.own);
  io("resolution_ns", rank.resolution,
     [](const JsonNode& node) { return std::min(latest_time, not_negative(node)); });
  io("names", rank.names, [](const JsonNode& node) { return node.elements(kept_text); });
  io("communicators", rank.communicators);
  io.added("kernels", rank.kernels);
}

// Reads or writes a kind of kernels. Kernels of one kind differ only in their times.
void fields_of_kind(JsonIo& io, RankCollective& kind, const RankWork& rank) {
  io("name", kind.name, below(rank.names.size()));
  io.one_of("kind", kind.kind,
            {CollectiveKind::all_reduce, CollectiveKind::all_gather, CollectiveKind::reduce_scatter,
             CollectiveKind::all_to_all, CollectiveKind::send_receive, CollectiveKind::other});
  io("bytes", kind.bytes, not_negative);
  io("communicator", kind.communicator, below(rank.communicators.size()));
}

namespace {

struct KernelKind {
  RankCollective kernel;
  std::vector<RankMessage> messages;
};

KernelKind read_kind(const JsonNode& node, const RankWork& rank) {
  KernelKind kind;
  JsonIo io(node);
  fields_of_kind(io, kind.kernel, rank);
  if (!node.has("messages")) return kind;
  kind.messages = node.at("messages").elements([&rank](const JsonNode& one) {
    const RankMessage message{0, below(rank.communicators.size())(one[0]), int_from_zero(one[1]),
                              one[2].text() == "send", not_negative(one[3])};
    if (!rank.communicators[message.communicator].id) {
      throw JsonMismatch("a message has no communicator");
    }
    return message;
  });
  return kind;
}

// The kinds of kernels in the file, and the kind of each kernel.
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
    Json kind;
    JsonIo io(kind);
    RankCollective one = rank.collectives[k];
    fields_of_kind(io, one, rank);
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
    text += fmt::format("{}{},{},{}", text.empty() ? "" : ",", kinds.of_kernel[k],
                        own.start - before, own.length());
    before = own.start;
  }
  return "[" + text + "]";
}

void read_collectives(const JsonNode& node, const std::vector<KernelKind>& kinds, RankWork& rank) {
  const std::vector<std::int64_t> numbers = node.quantities();
  if (numbers.size() % 3 != 0) throw JsonMismatch("collectives are not three numbers each");
  Ns before = rank.whole.start;
  for (std::size_t i = 0; i < numbers.size(); i += 3) {
    if (static_cast<std::size_t>(numbers[i]) >= kinds.size()) {
      throw JsonMismatch("a collective has no kind");
    }
    const KernelKind& kind = kinds[static_cast<std::size_t>(numbers[i])];
    RankCollective one = kind.kernel;
    one.interval.start = later(before, numbers[i + 1], rank);
    one.interval.end = later(one.interval.start, numbers[i + 2], rank);
    before = one.interval.start;
    if (rank.messages.size() + kind.messages.size() > most_messages) {
      throw JsonMismatch("it has more than " + std::to_string(most_messages) + " messages");
    }
    for (RankMessage message : kind.messages) {
      message.collective = static_cast<std::uint32_t>(rank.collectives.size());
      rank.messages.push_back(message);
    }
    rank.collectives.push_back(one);
  }
}

// Returns two numbers for each collective, as in "[0,300,1200,250]": the increase of the host time
// since the previous collective, and the lead of the collective, both in ns.
std::string issue_text(const RankWork& rank) {
  std::string text;
  Ns before = 0;
  for (const RankCollective& one : rank.collectives) {
    text += fmt::format("{}{},{}", text.empty() ? "" : ",",
                        one.host_time - std::exchange(before, one.host_time), one.lead);
  }
  return "[" + text + "]";
}

// Reads the array "issue". If a summary lacks this array, the host is assumed never to delay a
// kernel, and the data of each kernel is assumed to be ready only when the kernel starts.
void read_issue(const JsonNode& node, RankWork& rank) {
  const std::vector<std::int64_t> numbers = node.quantities();
  if (numbers.size() != 2 * rank.collectives.size()) {
    throw JsonMismatch("issue is not two numbers for each collective");
  }
  Ns host_time = 0;
  for (std::size_t k = 0; k < rank.collectives.size(); ++k) {
    const Ns since = numbers[2 * k];
    const Ns lead = numbers[2 * k + 1];
    if (since > latest_time - host_time || lead > latest_time) {
      throw JsonMismatch("issue has a time that is longer than can be");
    }
    rank.collectives[k].host_time = host_time += since;
    rank.collectives[k].lead = lead;
  }
}

// Returns two numbers for each busy interval, as in "[100,4000,30,800]": the ns since the end of
// the previous interval, and its duration in ns.
std::string busy_text(const RankWork& rank, Ns resolution) {
  std::string text;
  Ns before = rank.whole.start;
  const auto put = [&](const Interval& one) {
    text += fmt::format("{}{},{}", text.empty() ? "" : ",", one.start - before, one.length());
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

void read_busy(const JsonNode& node, RankWork& rank) {
  const std::vector<std::int64_t> numbers = node.quantities();
  if (numbers.size() % 2 != 0) throw JsonMismatch("busy is not two numbers each");
  std::vector<Interval> intervals;
  Ns before = rank.whole.start;
  for (std::size_t i = 0; i < numbers.size(); i += 2) {
    Interval& one = intervals.emplace_back();
    one.start = later(before, numbers[i], rank);
    one.end = later(one.start, numbers[i + 1], rank);
    before = one.end;
  }
  rank.other_work = IntervalSet::union_of(std::move(intervals));
}

RankWork read_rank(const JsonNode& node) {
  RankWork rank = read_json<RankWork>(node);
  const std::vector<KernelKind> kinds =
      node.at("kinds").elements([&rank](const JsonNode& kind) { return read_kind(kind, rank); });
  read_collectives(node.at("collectives"), kinds, rank);
  if (node.has("issue")) read_issue(node.at("issue"), rank);
  read_busy(node.at("busy"), rank);
  return rank;
}

std::vector<RankWork> read_ranks(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  Json json;
  try {
    json = Json::parse(file);
  } catch (const Json::exception&) {
    throw JsonMismatch("it is no JSON, or cut short");
  }
  const JsonNode root(json, "");
  const std::string schema = root.at("schema").text();
  if (schema != rank_summary_schema) {
    throw JsonMismatch("its schema is '" + schema + "' instead of '" +
                       std::string(rank_summary_schema) + "'");
  }
  return root.at("ranks").elements(read_rank);
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
  while (busy.size() > budget / 2 && collectives.size() + busy.size() > budget) {
    resolution = std::max(first_resolution, 2 * resolution);
    busy = busy_text(rank, resolution);
  }
  Json head = written_json(rank);
  head["resolution_ns"] = resolution;
  head["kinds"] = kinds.json;
  std::string text = harmless_json(head.dump(-1, ' ', false, Json::error_handler_t::replace));
  text.pop_back();
  out << text << ",\n  \"collectives\":" << collectives << ",\n  \"issue\":" << issue_text(rank)
      << ",\n  \"busy\":" << busy << '}';
}

}  // namespace

bool looks_like_rank_summary(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string begin(64, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin.find("\"lapscope-rank-summary/") != std::string::npos;
}

std::vector<RankWork> read_rank_summary(const std::filesystem::path& path) {
  try {
    return read_ranks(path);
  } catch (const std::runtime_error& mismatch) {
    throw std::runtime_error(
        "'" + path.string() + "' is no summary of ranks that this lapscope can read: " +
        mismatch.what() + ". Make it again with `lapscope summarize --ranks TRACE -o FILE`.");
  }
}

void write_rank_summary(std::span<const RankWork> ranks, std::ostream& out) {
  out << "{\"schema\":\"" << rank_summary_schema << "\",\"ranks\":[";
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    out << (r == 0 ? "\n" : ",\n");
    write_rank(ranks[r], out);
  }
  out << "\n]}\n";
}

}  // namespace lapscope::analyzer
