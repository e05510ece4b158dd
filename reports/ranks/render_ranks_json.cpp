#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/ranks/render_ranks.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

using Json = nlohmann::ordered_json;

Json kernel_json(const analyzer::ComparedKernel& kernel) {
  const auto tenths = [](double count) { return std::round(count * 10) / 10; };
  return {{"name", printable(kernel.name)},
          {"blocks", kernel.launch.blocks},
          {"threads_per_block", kernel.launch.threads_per_block},
          {"count", tenths(kernel.late.count)},
          {"mean_ns", std::llround(kernel.late.mean())},
          {"others_count", tenths(kernel.others.count)},
          {"others_mean_ns", std::llround(kernel.others.mean())}};
}

Json findings_json(const std::vector<analyzer::RunFinding>& findings, const RunReport& run) {
  Json json = Json::array();
  for (const analyzer::RunFinding& finding : findings) {
    Json one = {{"code", code_of(finding.cause)},           {"saving_ns", finding.saving},
                {"most_saving_ns", finding.most_saving},    {"collectives", finding.count},
                {"explanation", sentence_of(finding, run)}, {"fix", fix_of(finding, run)}};
    const bool is_bubble = finding.cause == analyzer::RunCause::pipeline_bubble;
    if (finding.micro_batches > 0) one["micro_batches"] = finding.micro_batches;
    if (finding.times_as_many > 0) one["times_as_many"] = finding.times_as_many;
    if (finding.bytes > 0) one["most_bytes"] = finding.bytes;
    if (is_bubble || finding.cause == analyzer::RunCause::straggler) {
      one["rank"] = printable(run.run.ranks[finding.ranks.front()].name);
    }
    if (finding.cause == analyzer::RunCause::straggler) {
      one["ranks"] = Json::array();
      for (const std::uint32_t r : finding.ranks) {
        one["ranks"].push_back(printable(run.run.ranks[r].name));
      }
      one["late_by"] = name_of(finding.late_by);
      one["excess_ns"] = finding.excess;
      if (finding.kernel) one["kernel"] = kernel_json(*finding.kernel);
    }
    json.push_back(std::move(one));
  }
  return json;
}

// Returns a rank's times in each step, by state. The steps are in order.
Json steps_json(const analyzer::RankResult& rank) {
  Json computing = Json::array();
  Json transferring = Json::array();
  Json waiting = Json::array();
  Json idle = Json::array();
  for (const analyzer::RankTime& step : rank.steps) {
    computing.push_back(step.computing);
    transferring.push_back(step.transferring);
    waiting.push_back(step.waiting);
    idle.push_back(step.idle);
  }
  return {{"computing_ns", std::move(computing)},
          {"transferring_ns", std::move(transferring)},
          {"waiting_ns", std::move(waiting)},
          {"idle_ns", std::move(idle)}};
}

}  // namespace

void render_ranks_json(const RunReport& run, const TextStyle&, std::ostream& out) {
  Json ranks = Json::array();
  for (const analyzer::RankResult& rank : run.run.ranks) {
    ranks.push_back({{"rank", printable(rank.name)},
                     {"file", printable(rank.file)},
                     {"host", printable(rank.host)},
                     {"device", rank.device},
                     {"device_name", printable(rank.device_name)},
                     {"computing_ns", rank.time.computing},
                     {"transferring_ns", rank.time.transferring},
                     {"waiting_ns", rank.time.waiting},
                     {"waiting_for_messages_ns", rank.time.for_messages},
                     {"other_communication_ns", rank.time.other_communication},
                     {"idle_ns", rank.time.idle},
                     {"on_path",
                      {{"computing_ns", rank.on_path.computing},
                       {"transferring_ns", rank.on_path.transferring},
                       {"waiting_ns", rank.on_path.waiting},
                       {"other_communication_ns", rank.on_path.other_communication},
                       {"idle_ns", rank.on_path.idle}}},
                     {"collectives", rank.collectives},
                     {"exchanges", rank.exchanges},
                     {"steps", steps_json(rank)},
                     {"last", rank.late.last},
                     {"late_ns", rank.late.sum}});
  }
  Json steps = Json::array();
  for (std::size_t i = 1; i < run.run.steps.size(); ++i) {
    steps.push_back(run.run.steps[i] - run.run.steps[i - 1]);
  }
  Json defects = Json::array();
  for (const analyzer::RunDefectRow& row : run.run.defects) {
    defects.push_back(
        {{"code", code_of(row.defect)}, {"count", row.count}, {"message", sentence_of(row)}});
  }
  const Json json = {{"schema", "lapscope-ranks/1"},
                     {"folder", printable(run.folder)},
                     {"verdict", name_of(analyzer::verdict_of(run.run))},
                     {"headline", headline_of(run)},
                     {"window_ns", run.run.window.length()},
                     {"window", name_of(run.run.window_is)},
                     {"steps_ns", std::move(steps)},
                     {"collectives_in_step", run.run.collectives_in_step},
                     {"resolution_ns", run.run.resolution},
                     {"collectives", run.run.collectives},
                     {"exchanges", run.run.exchanges},
                     {"matched_by", run.run.by_stream ? "stream" : "communicator"},
                     {"other_communication_kernels", run.run.others},
                     {"clock_error_ns", run.run.clock_error},
                     {"defects", std::move(defects)},
                     {"findings", findings_json(run.run.findings, run)},
                     {"questions", findings_json(run.run.questions, run)},
                     {"ranks", std::move(ranks)},
                     {"without_gpu_work", run.without_work.size()}};
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace lapscope::reports
