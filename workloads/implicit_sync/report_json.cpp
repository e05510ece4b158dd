#include <nlohmann/json.hpp>
#include <ostream>

#include "workloads/harness/workload_report.h"
#include "workloads/implicit_sync/survey.h"

namespace lapscope::workloads::implicit_sync {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(HostWait wait) { return text_of(wait); }

std::string_view name_of(Follower follower) {
  constexpr std::array<std::string_view, 3> names{"overlaps", "waits", "host_waited"};
  return names[static_cast<std::size_t>(follower)];
}

template <typename T>
Json json_of(const Verdict<T>& verdict) {
  return {{"value", verdict.value ? Json(name_of(*verdict.value)) : Json()},
          {"varies", verdict.varies()},
          {"agreeing", verdict.agreeing},
          {"clear", verdict.clear}};
}

Json json_of(const KernelSpan& span) {
  return {{"start_ns", span.start_ns}, {"end_ns", span.end_ns}};
}

Json json_of(const Observation& seen, Arrangement arrangement) {
  Json json{{"call_ms", seen.call_ms},
            {"ended_before_return", seen.ended_before_return},
            {"before", json_of(seen.before)}};
  if (arrangement == Arrangement::own) return json;
  json["issue_ms"] = seen.issue_ms;
  json["left_ms"] = seen.left_ms;
  json["after"] = json_of(seen.after);
  return json;
}

Json json_of(const CallResult& result) {
  const Call& call = *result.call;
  Json json{{"name", call.name},
            {"documented", text_of(call.claim.says)},
            {"source", call.claim.source},
            {"measured", result.unavailable.empty()}};
  if (!result.unavailable.empty()) {
    json["reason"] = result.unavailable;
    return json;
  }
  const Behaviour& behaviour = result.behaviour;
  json["idle_ms"] = median(result.idle_ms);
  json["busy_ms"] = busy_ms(result);
  json["kernel_ms"] = result.kernel_ms;
  json["host_waits_for"] = json_of(behaviour.host);
  json["own_stream"] = json_of(behaviour.own_stream);
  json["non_blocking_streams"] = json_of(behaviour.non_blocking);
  json["blocking_streams"] = json_of(behaviour.blocking);
  json["as_documented"] = as_documented(call.claim.says, behaviour);

  Json raw{{"idle_ms", result.idle_ms}};
  for (const Arrangement arrangement : arrangements) {
    Json& list = raw[std::string(name_of(arrangement))] = Json::array();
    for (const auto& seen : result.seen[static_cast<std::size_t>(arrangement)]) {
      list.push_back(json_of(seen, arrangement));
    }
  }
  json["raw"] = raw;
  return json;
}

}  // namespace

void render_json(std::ostream& out, const Survey& survey) {
  Json json{{"schema", "lapscope-implicit-sync/1"},
            {"device", survey.device},
            {"driver", survey.versions.driver},
            {"cuda_driver", survey.versions.cuda_driver},
            {"cuda_runtime", survey.versions.cuda_runtime},
            {"date", survey.date},
            {"repeats", survey.repeats},
            {"controls_failed", survey.failures},
            {"calls", Json::array()}};
  for (const auto& result : survey.results) json["calls"].push_back(json_of(result));
  out << json.dump(1) << '\n';
}

}  // namespace lapscope::workloads::implicit_sync
