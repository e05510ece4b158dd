#include "reports/json/scope_json.h"

#include "analyzer/model/calls.h"
#include "reports/words/host_time_words.h"

namespace lapscope::reports {
namespace {

using Json = nlohmann::ordered_json;

Json thread_json(std::int64_t global_tid) {
  if (global_tid == 0) return nullptr;
  return "thread " + std::to_string(analyzer::tid_of(global_tid));
}

void add_share(const analyzer::HostShare& share, Json& json) {
  json["ns"] = share.ns;
  json["range_ns"] = {share.least_ns, share.most_ns};
  json["samples"] = share.samples;
  if (share.recorded_ns > 0) json["recorded_ns"] = share.recorded_ns;
}

Json line_json(std::int64_t line) { return line > 0 ? Json(line) : Json(nullptr); }

Json function_json(const analyzer::HostFunction& one) {
  Json json = {
      {"kind", name_of(one.kind)},        {"function", one.function}, {"file", one.file},
      {"line", line_json(one.line)},      {"caller", one.caller},     {"state", name_of(one.state)},
      {"holder", thread_json(one.holder)}};
  add_share(one.share, json);
  return json;
}

Json named_functions_json(const std::vector<analyzer::HostFunction>& functions) {
  Json json = Json::array();
  for (const analyzer::HostFunction& one : functions) {
    json.push_back(function_json(one));
    json.back()["saving_ns"] = one.saving_ns ? Json(*one.saving_ns) : Json(nullptr);
  }
  return json;
}

Json functions_json(const std::vector<analyzer::HostFunction>& functions) {
  Json json = Json::array();
  for (const analyzer::HostFunction& one : functions) json.push_back(function_json(one));
  return json;
}

Json kind_json(const analyzer::HostFunction& one) {
  Json json = {{"kind", name_of(one.kind)}};
  add_share(one.share, json);
  return json;
}

Json part_json(const analyzer::HostPart& part) {
  Json json = {{"kind", name_of(part.kind)},
               {"state", name_of(part.state)},
               {"function", part.function},
               {"file", part.file},
               {"line", line_json(part.line)},
               {"innermost", part.innermost},
               {"caller", part.caller},
               {"thread", thread_json(part.thread)},
               {"holder", thread_json(part.holder)}};
  add_share(part.share, json);
  return json;
}

Json thread_json(const analyzer::HostActivity& time, const analyzer::HostThread& thread) {
  Json kinds = Json::array();
  for (const auto& kind : by_kind(time, thread.global_tid)) kinds.push_back(kind_json(kind));
  return {{"thread", thread_json(thread.global_tid)},
          {"pid", analyzer::pid_of(thread.global_tid)},
          {"ops", thread.ops},
          {"ns", thread.ns},
          {"samples", thread.samples},
          {"counted_ns", thread.counted_ns},
          {"on_cpu_ns", thread.on_cpu_ns},
          {"ready_ns", thread.ready_ns},
          {"kinds", std::move(kinds)}};
}

Json collections_json(const std::vector<analyzer::HostCollections>& collections) {
  Json json = Json::array();
  for (const analyzer::HostCollections& one : collections) {
    json.push_back({{"generation", one.generation}, {"least", one.least}, {"most", one.most}});
  }
  return json;
}

}  // namespace

Json host_time_json(const analyzer::HostActivity& time) {
  Json json = {{"ns", time.ns},
               {"samples", time.samples},
               {"interval_ns", time.interval_ns},
               {"window_ns", time.window_ns}};
  json["instances"] = time.instances > 0 ? Json(time.instances) : Json(nullptr);
  if (time.recorded_ns > 0) json["recorded_ns"] = time.recorded_ns;
  if (!time.collections.empty()) json["collections"] = collections_json(time.collections);
  json["threads"] = Json::array();
  for (const auto& thread : time.threads) json["threads"].push_back(thread_json(time, thread));
  json["parts"] = Json::array();
  for (const auto& part : time.parts) json["parts"].push_back(part_json(part));
  json["sites"] = Json::array();
  for (const auto& site : time.sites) {
    json["sites"].push_back(
        {{"line", site.line}, {"ns", site.ns}, {"functions", functions_json(site.functions)}});
  }
  return json;
}

Json host_work_json(const analyzer::HostWork& work) {
  Json json = {{"words", words_of(work)}, {"kind", kind_json(work.about())}, {"ns", work.ns}};
  json["instances"] = work.instances > 0 ? Json(work.instances) : Json(nullptr);
  json["ops"] = work.ops;
  json["all_saving_ns"] = work.all_saving_ns;
  json["kinds"] = Json::array();
  for (const auto& kind : work.kinds) {
    json["kinds"].push_back(kind_json(kind));
    json["kinds"].back()["saving_ns"] = kind.saving_ns ? Json(*kind.saving_ns) : Json(nullptr);
  }
  json["functions"] = named_functions_json(work.functions);
  return json;
}

}  // namespace lapscope::reports
