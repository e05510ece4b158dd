#include "tests/collector/inject/recorded_run.h"

#include <algorithm>
#include <iterator>

#include "tests/collector/support/real_cupti.h"

namespace lapscope::test {

std::vector<std::string> record_command(const std::filesystem::path& output,
                                        const std::string& cupti,
                                        const std::vector<std::string>& steps,
                                        const std::vector<std::string>& options) {
  if (cupti == LAPSCOPE_FAKE_CUPTI) real_cupti();
  std::vector<std::string> command{LAPSCOPE_COMMAND, "record", "-o",         output.string(),
                                   "--cupti",        cupti,    "--flush-ms", "10"};
  // Only tests of the calibration pass --calibrate. They have their own program that times calls.
  const bool calibrates = std::ranges::find(options, "--calibrate") != options.end();
  if (!calibrates) command.emplace_back("--no-calibrate");
  std::ranges::remove_copy(options, std::back_inserter(command), "--calibrate");
  command.insert(command.end(), {"--", LAPSCOPE_FAKE_CUDA_PROGRAM});
  command.insert(command.end(), steps.begin(), steps.end());
  return command;
}

RecordedRun::RecordedRun(const std::vector<std::string>& steps, const Options& options)
    : finished_(run(record_command(folder_ / options.output, options.cupti, steps, options.options),
                    options.environment)) {}

schema::Database RecordedRun::trace(const std::string& name) const {
  return schema::Database::immutable(folder_ / name);
}

std::optional<std::string> RecordedRun::fact(std::string_view name, const std::string& file) const {
  return trace(file).query_text("SELECT value FROM LAPSCOPE_CAPTURE WHERE name = '" +
                                std::string(name) + "'");
}

std::size_t RecordedRun::ops(const std::string& file) const {
  return rows<schema::KernelRow>(file).size() + rows<schema::MemcpyRow>(file).size();
}

}  // namespace lapscope::test
