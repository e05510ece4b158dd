#include "collector/launch/kept_costs.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

namespace lapscope::launch {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* format = "lapscope-call-costs/3";
// The maximum number of calibrations in the file. If there are more, the oldest calibrations are
// dropped. Without this limit, each new combination of options would make the file longer.
constexpr std::size_t most_kept = 64;

std::system_error failure(const std::string& what) {
  return {errno, std::generic_category(), what};
}

Json json_of(const KeptCosts& kept) {
  Json costs = Json::array();
  for (const schema::CallCostRow& row : kept.costs) {
    costs.push_back({{"kind", row.kind},
                     {"bare_ns", row.bareNs},
                     {"recorded_ns", row.recordedNs},
                     {"spread_ns", row.spreadNs}});
  }
  const trace::Setting& setting = kept.key.setting;
  return {{"created", kept.created},
          {"host", setting.host},
          {"gpu", setting.gpu},
          {"driver", setting.driver},
          {"cupti", setting.cupti},
          {"request", kept.key.request},
          {"problem", kept.problem.empty() ? Json(nullptr) : Json(kept.problem)},
          {"costs", std::move(costs)}};
}

KeptCosts kept_of(const Json& json) {
  KeptCosts kept;
  kept.created = json.at("created");
  kept.key = {{json.at("host"), json.at("gpu"), json.at("driver"), json.at("cupti")},
              json.at("request")};
  if (!json.at("problem").is_null()) kept.problem = json.at("problem");
  for (const Json& cost : json.at("costs")) {
    kept.costs.push_back({cost.at("kind"), cost.at("bare_ns"), cost.at("recorded_ns"),
                          cost.at("spread_ns"), kept.created});
  }
  return kept;
}

int lock_of(const fs::path& path, std::chrono::milliseconds longest_wait) {
  const int lock = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (lock < 0) throw failure("'" + path.string() + "' cannot be written");
  constexpr std::chrono::milliseconds pause{50};
  const auto until = std::chrono::steady_clock::now() + longest_wait;
  while (::flock(lock, LOCK_EX | LOCK_NB) != 0) {
    const bool is_held = errno == EWOULDBLOCK || errno == EINTR;
    if (!is_held || std::chrono::steady_clock::now() >= until) {
      const auto why = failure(is_held ? "another process calibrates"
                                       : "'" + path.string() + "' cannot be locked");
      ::close(lock);
      throw why;
    }
    std::this_thread::sleep_for(pause);
  }
  return lock;
}

constexpr const char* file_name = "call-costs.json";

std::vector<KeptCosts> read(const fs::path& path) {
  std::vector<KeptCosts> all;
  std::ifstream file(path);
  const Json json = Json::parse(file, nullptr, false);
  try {
    if (json.is_discarded() || json.at("schema") != format) return all;
    for (const Json& one : json.at("calibrations")) all.push_back(kept_of(one));
  } catch (const Json::exception&) {
    all.clear();
  }
  return all;
}

}  // namespace

std::optional<std::int64_t> added_to_launch(const KeptCosts& costs) {
  const auto launch = std::ranges::find(costs.costs, "launch", &schema::CallCostRow::kind);
  if (launch == costs.costs.end()) return std::nullopt;
  return std::max<std::int64_t>(0, launch->recordedNs - launch->bareNs);
}

std::optional<KeptCosts> newest_costs(const fs::path& folder, std::string_view host,
                                      std::string_view request) {
  std::optional<KeptCosts> newest;
  for (KeptCosts& one : read(folder / file_name)) {
    if (one.key.setting.host != host || one.key.request != request) continue;
    if (!newest || newest->created <= one.created) newest = std::move(one);
  }
  return newest;
}

std::optional<fs::path> cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  // The XDG specification requires that a relative path is ignored.
  if (cache && fs::path(cache).is_absolute()) return fs::path(cache) / "lapscope";
  const char* home = std::getenv("HOME");
  if (home && *home) return fs::path(home) / ".cache" / "lapscope";
  return std::nullopt;
}

CostFile::CostFile(const fs::path& folder, std::chrono::milliseconds longest_wait)
    : path_(folder / file_name) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) {
    throw std::system_error(failed, "the folder '" + folder.string() + "' cannot be made");
  }
  lock_ = lock_of(folder / "call-costs.lock", longest_wait);
}

CostFile::~CostFile() { ::close(lock_); }

std::optional<KeptCosts> CostFile::find(const CostKey& key) const {
  const auto all = read(path_);
  const auto found = std::ranges::find(all, key, &KeptCosts::key);
  if (found == all.end()) return std::nullopt;
  return *found;
}

void CostFile::keep(const KeptCosts& costs) const {
  std::vector<KeptCosts> all = read(path_);
  std::erase_if(all, [&costs](const KeptCosts& one) { return one.key == costs.key; });
  all.push_back(costs);
  if (all.size() > most_kept) all.erase(all.begin());
  Json json = {{"schema", format}, {"calibrations", Json::array()}};
  for (const KeptCosts& one : all) json["calibrations"].push_back(json_of(one));
  fs::path written = path_;
  written += ".new";
  {
    std::ofstream file(written);
    file << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
    file.close();
    if (!file) throw failure("'" + written.string() + "' cannot be written");
  }
  std::error_code failed;
  fs::rename(written, path_, failed);
  if (failed) throw std::system_error(failed, "'" + path_.string() + "' cannot be written");
}

}  // namespace lapscope::launch
