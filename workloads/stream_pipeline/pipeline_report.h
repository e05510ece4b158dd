#pragma once

#include <vector>

#include "workloads/harness/device.h"
#include "workloads/harness/workload_report.h"
#include "workloads/stream_pipeline/copy_compute_pipeline.h"
#include "workloads/stream_pipeline/stream_pipeline_options.h"

namespace lapscope::workloads {

// Returns the report of one or more verified runs. README.md explains each line.
Report report_pipeline(const Options& options, const DeviceInfo& device, const KernelPlan& plan,
                       const std::vector<PipelineRun>& runs);

// Adds the lines of --engine-bound: medians of the engines' times, measured after each run.
void add_pace(Report& report, const TilePace& pace, const std::vector<EngineTimes>& engines);

}  // namespace lapscope::workloads
