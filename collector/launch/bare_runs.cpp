#include "collector/launch/bare_runs.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "collector/bare/range_times.h"
#include "collector/environment.h"
#include "collector/launch/child_program.h"
#include "collector/schema/sqlite.h"
#include "collector/trace/trace_file.h"

namespace lapscope::launch {
namespace {

namespace fs = std::filesystem;

// Returns whether a further run may follow. The exit status alone does not show this: after a
// signal that asked it to end, a program can end with any exit status.
bool goes_on_after(const Ended& ended) {
  constexpr int ended_by_signal = 128;  // higher exit statuses mean a signal
  return ended.exit_status <= ended_by_signal && !ended.asked_to_end;
}

// Rows of NVTX ranges, by the number of the run and the text of the range.
using RangeRows = std::map<std::pair<std::int64_t, std::string>, schema::RunRow>;

class Comparison {
 public:
  explicit Comparison(const RecordOptions& options) : options_(options) {}

  // Runs the program once, and records this run. Returns false if no further run makes sense.
  bool run_recorded() {
    Recorded run{record(options_)};
    const Recording& recording = run.recording;
    const bool has_run = !recording.refusal && recording.program.problem.empty();
    if (has_run) {
      add_run(true, recording.program);
      for (const trace::Content& content : recording.traces) {
        if (content.still_written) continue;
        try {
          for (schema::RunRow& row : trace::range_times(content.path)) {
            run.ranges_ns += row.ns;
            add_range(content.rank, row);
          }
        } catch (const schema::SqliteError&) {
          continue;  // record() reports the traces that it could not close
        }
      }
    }
    const bool goes_on = has_run && goes_on_after(recording.program);
    recorded_.push_back(std::move(run));
    move_files(recorded_.size() - 1, true);
    return goes_on;
  }

  bool run_bare() {
    const CollectorLibrary timer = find_range_timer();
    const ResolvedProgram program = resolve_program(options_.command.front());
    fs::path folder = fs::temp_directory_path() / "lapscope-XXXXXX";
    std::string name = folder.string();
    if (timer.path.empty() || program.path.empty() || !::mkdtemp(name.data())) {
      result_.trouble =
          "The program could not be run bare: " +
          (!timer.path.empty() ? "there is no folder for temporary files." : timer.problem);
      return false;
    }
    folder = name;
    const Ended ended = run_program(program.path, options_.command,
                                    {{environment::nvtx_injection, timer.path.string()},
                                     {environment::range_times, folder.string()}});
    std::error_code ignored;
    if (!ended.problem.empty()) {
      fs::remove_all(folder, ignored);
      result_.trouble = "The program could not be run bare: " + ended.problem;
      return false;
    }
    add_run(false, ended);
    for (const bare::ProcessTimes& process : bare::read_times(folder)) {
      for (const bare::RangeTime& range : process.ranges) {
        schema::RunRow row;
        row.range = range.name;
        row.count = range.count;
        row.ns = range.ns;
        add_range(process.rank, row);
      }
    }
    fs::remove_all(folder, ignored);
    return goes_on_after(ended);
  }

  // Gives the traces of one run their final names, and removes the traces of the other runs. Adds
  // the rows of all runs to the traces.
  ComparedRecording finish() {
    const std::size_t kept = median_run();
    move_files(kept, false);
    for (std::size_t run = 0; run < recorded_.size(); ++run) {
      if (run != kept) remove_files(run);
    }
    result_.recording = std::move(recorded_[kept].recording);
    for (const trace::Content& content : result_.recording.traces) {
      std::vector<schema::RunRow> rows = runs_;
      for (const auto& [key, row] : ranges_[content.rank]) rows.push_back(row);
      std::ranges::stable_sort(rows, {}, &schema::RunRow::run);
      try {
        if (!content.still_written) trace::add_runs(content.path, rows);
      } catch (const schema::SqliteError& error) {
        result_.trouble = "The runs could not be stored in the trace '" + content.path.string() +
                          "': " + error.what() + ".";
      }
    }
    return std::move(result_);
  }

 private:
  struct Recorded {
    Recording recording;
    std::int64_t ranges_ns = 0;  // time of all NVTX ranges on the host
  };

  // Returns the number of the run whose traces are kept; see record_and_compare().
  std::size_t median_run() const {
    std::vector<std::size_t> alike;
    const Recording& last = recorded_.back().recording;
    for (std::size_t run = 0; run < recorded_.size(); ++run) {
      const Recording& recording = recorded_[run].recording;
      const bool ended_alike = recording.program.exit_status == last.program.exit_status &&
                               recording.traces.size() == last.traces.size();
      if (ended_alike) alike.push_back(run);
    }
    std::ranges::stable_sort(alike, {}, [&](std::size_t run) {
      return std::pair(recorded_[run].ranges_ns, recorded_[run].recording.program.elapsed_ns);
    });
    return alike[(alike.size() - 1) / 2];
  }

  // Returns the files of a run, each with two paths. The first path is the final one. The second
  // path is used until it is known which run is kept. Leaves out traces that a process is still
  // writing.
  std::vector<std::pair<fs::path, fs::path>> files_of(std::size_t run) const {
    std::vector<fs::path> paths;
    for (const trace::Content& content : recorded_[run].recording.traces) {
      if (!content.still_written) paths.push_back(content.path);
    }
    if (!recorded_[run].recording.manifest.empty()) {
      paths.push_back(recorded_[run].recording.manifest);
    }
    std::vector<std::pair<fs::path, fs::path>> files;
    for (const fs::path& path : paths) {
      files.emplace_back(path, path.string() + ".run" + std::to_string(run + 1));
    }
    return files;
  }

  void move_files(std::size_t run, bool aside) {
    for (const auto& [path, other] : files_of(run)) {
      std::error_code error;
      fs::rename(aside ? path : other, aside ? other : path, error);
      if (error) {
        result_.trouble = "The trace '" + path.string() +
                          "' of a run could not be renamed: " + error.message() + ".";
      }
    }
  }

  void remove_files(std::size_t run) const {
    for (const auto& [path, other] : files_of(run)) {
      std::error_code ignored;
      fs::remove(other, ignored);
    }
  }

  void add_run(bool recorded, const Ended& ended) {
    result_.runs.push_back({recorded, ended.exit_status, ended.elapsed_ns});
    schema::RunRow row = row_of_run();
    row.count = 1;
    row.ns = ended.elapsed_ns;
    runs_.push_back(row);
  }

  // If a rank has several processes, the times of ranges with the same text are added up.
  void add_range(const std::string& rank, const schema::RunRow& range) {
    schema::RunRow row = row_of_run();
    row.range = range.range;
    schema::RunRow& sum = ranges_[rank]
                              .try_emplace({row.run, range.range.value_or("")}, std::move(row))
                              .first->second;
    sum.count += range.count;
    sum.ns += range.ns;
  }

  schema::RunRow row_of_run() const {
    schema::RunRow row;
    row.run = static_cast<std::int64_t>(result_.runs.size());
    row.isRecorded = result_.runs.back().recorded ? 1 : 0;
    row.exitStatus = result_.runs.back().exit_status;
    return row;
  }

  const RecordOptions& options_;
  ComparedRecording result_;
  std::vector<Recorded> recorded_;
  std::vector<schema::RunRow> runs_;
  std::map<std::string, RangeRows> ranges_;  // by rank
};

}  // namespace

ComparedRecording record_and_compare(const RecordOptions& options, int bare_runs) {
  Comparison comparison(options);
  for (int run = 0; run < bare_runs; ++run) {
    if (!comparison.run_recorded() || !comparison.run_bare()) return comparison.finish();
  }
  return comparison.finish();
}

}  // namespace lapscope::launch
