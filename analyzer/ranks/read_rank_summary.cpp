#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "analyzer/model/harmless_text.h"
#include "analyzer/model/json_node.h"
#include "analyzer/model/limits.h"
#include "analyzer/model/trace.h"
#include "analyzer/ranks/rank_summary.h"

namespace lapscope::analyzer {
namespace {

using Json = nlohmann::ordered_json;

// The latest accepted time, in the year 2116. So the difference of two accepted times fits into 64
// bits.
constexpr Ns latest_start = Ns{1} << 62;
// The greatest number of messages of one rank. A kernel that exchanges data with all of 1,024 ranks
// has 2,048 messages.
constexpr std::size_t most_messages = std::size_t{1} << 22;

CollectiveKind kind_named(const JsonNode& node) {
  return node.one_of<CollectiveKind>(
      {{name_of(CollectiveKind::all_reduce), CollectiveKind::all_reduce},
       {name_of(CollectiveKind::all_gather), CollectiveKind::all_gather},
       {name_of(CollectiveKind::reduce_scatter), CollectiveKind::reduce_scatter},
       {name_of(CollectiveKind::all_to_all), CollectiveKind::all_to_all},
       {name_of(CollectiveKind::send_receive), CollectiveKind::send_receive},
       {name_of(CollectiveKind::other), CollectiveKind::other}});
}

std::uint32_t index_below(const JsonNode& node, std::size_t size) {
  const std::int64_t index = node.integer();
  if (index < 0 || static_cast<std::size_t>(index) >= size) {
    throw JsonMismatch("an index is beyond its table");
  }
  return static_cast<std::uint32_t>(index);
}

std::int64_t not_negative(const JsonNode& node) {
  const std::int64_t number = node.integer();
  if (number < 0) throw JsonMismatch("a size or a time is negative");
  return number;
}

RankCommunicator read_communicator(const JsonNode& node) {
  RankCommunicator one;
  if (!node.at("id").is_null()) {
    try {
      one.id = std::stoull(node.at("id").text(), nullptr, 16);
    } catch (const std::logic_error&) {
      throw JsonMismatch("the id of a communicator is no number");
    }
  }
  one.stream = index_below(node.at("stream"), limits::streams_of_device);
  if (!node.at("rank").is_null()) {
    one.rank = static_cast<int>(index_below(node.at("rank"), INT32_MAX));
  }
  return one;
}

struct KernelKind {
  RankCollective kernel;
  std::vector<RankMessage> messages;
};

KernelKind read_kind(const JsonNode& node, const RankWork& rank) {
  KernelKind kind;
  kind.kernel.name = index_below(node.at("name"), rank.names.size());
  kind.kernel.kind = kind_named(node.at("kind"));
  kind.kernel.bytes = not_negative(node.at("bytes"));
  kind.kernel.communicator = index_below(node.at("communicator"), rank.communicators.size());
  if (!node.has("messages")) return kind;
  for (const RankMessage& message : node.at("messages").elements([&](const JsonNode& one) {
         return RankMessage{0, index_below(one[0], rank.communicators.size()),
                            static_cast<int>(index_below(one[1], INT32_MAX)),
                            one[2].text() == "send", not_negative(one[3])};
       })) {
    if (!rank.communicators[message.communicator].id) {
      throw JsonMismatch("a message has no communicator");
    }
    kind.messages.push_back(message);
  }
  return kind;
}

// Returns the time `by` ns after `from`. Throws if it is more than latest_time after the start of
// the rank.
Ns later(Ns from, Ns by, const RankWork& rank) {
  if (by > latest_time || from - rank.whole.start > latest_time - by) {
    throw JsonMismatch("an instant is later than can be");
  }
  return from + by;
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

// Reads the array "issue". If a summary lacks this array, the host never delays a kernel, and the
// data of each kernel is ready at its start.
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
  RankWork rank;
  rank.file = kept_name(node.at("file").text());
  rank.rank = kept_name(node.at("rank").text());
  rank.ranks = static_cast<int>(index_below(node.at("ranks"), INT32_MAX));
  rank.host = kept_name(node.at("host").text());
  if (node.has("booted_ns")) rank.booted = std::max<Ns>(0, node.at("booted_ns").integer());
  rank.device = node.at("device").integer();
  rank.device_name = kept_name(node.at("device_name").text());
  rank.whole.start = node.at("start_ns").integer();
  if (rank.whole.start < 0 || rank.whole.start > latest_start - 2 * latest_time) {
    throw JsonMismatch("start_ns cannot be");
  }
  rank.whole.end = later(rank.whole.start, node.at("wall_ns").integer(), rank);
  const std::vector<std::int64_t> judged = node.at("evaluated_ns").quantities();
  if (judged.size() != 2) throw JsonMismatch("evaluated_ns is not two numbers");
  rank.judged.start = later(rank.whole.start, judged[0], rank);
  rank.judged.end = later(rank.judged.start, judged[1], rank);
  rank.is_steady = node.at("is_steady").flag();
  rank.recorder_share = node.at("recorder_share").number();
  if (!(rank.recorder_share >= 0 && rank.recorder_share <= 1)) {
    throw JsonMismatch("recorder_share is no share");
  }
  rank.trust = node.at("trust").one_of<Trust>(
      {{"sound", Trust::sound}, {"inconclusive", Trust::inconclusive}});
  rank.own.code = kept_name(node.at("first_finding").at("code").text());
  rank.own.where = kept_name(node.at("first_finding").at("where").text());
  rank.resolution = not_negative(node.at("resolution_ns"));
  rank.names =
      node.at("names").elements([](const JsonNode& name) { return kept_name(name.text()); });
  rank.communicators = node.at("communicators").elements(read_communicator);
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

}  // namespace lapscope::analyzer
