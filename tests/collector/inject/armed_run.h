#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/collector/inject/recorded_run.h"

namespace lapscope::test {

namespace fs = std::filesystem;

// Runs `lapscope record --armed` with fake_cuda_program. The test decides when the program goes on.
class ArmedRun {
 public:
  // At a step "next", the program waits until the test calls go_on().
  explicit ArmedRun(std::vector<std::string> steps, const std::vector<std::string>& more = {})
      : command_(command_of(std::move(steps), more)), recorder_([this] {
          std::vector<char*> arguments;
          for (std::string& argument : command_) arguments.push_back(argument.data());
          arguments.push_back(nullptr);
          return ::execv(arguments[0], arguments.data());
        }) {}

  // Releases all waits, so that the program ends even after a failed check.
  ~ArmedRun() {
    if (has_ended_) return;
    while (gone_on_ < waits_of_steps_) go_on();
    recorder_.wait();
  }
  ArmedRun(const ArmedRun&) = delete;
  ArmedRun& operator=(const ArmedRun&) = delete;

  // Waits until the program reaches its next step "done".
  bool is_done() {
    const fs::path file = done(++done_);
    return eventually([&file] { return fs::exists(file); });
  }
  void go_on() { std::ofstream(go(++gone_on_)) << "go"; }
  bool goes_on() {
    go_on();
    return is_done();
  }

  Finished ctl(const std::vector<std::string>& words) const {
    std::vector<std::string> command{LAPSCOPE_COMMAND, "ctl", folder_.path().string()};
    command.insert(command.end(), words.begin(), words.end());
    return run(command);
  }
  // Waits until the program can be captured and has reached its first step "done".
  bool is_ready() {
    return is_done() && eventually([this] { return ctl({"status"}).exit_status == 0; });
  }
  bool captures() const { return says("captures"); }
  bool says(const std::string& text) const {
    return ctl({"status"}).out.find(text) != std::string::npos;
  }
  Finished end() {
    has_ended_ = true;
    return recorder_.wait();
  }

  std::vector<std::string> names() const { return folder_.names(); }
  schema::Database trace(const std::string& name) const {
    return schema::Database::immutable(folder_ / name);
  }
  template <class Row>
  std::vector<Row> rows(const std::string& name) const {
    schema::Database database = trace(name);
    return all_rows<Row>(database);
  }
  std::size_t ops(const std::string& name) const {
    return rows<schema::KernelRow>(name).size() + rows<schema::MemcpyRow>(name).size();
  }

 private:
  fs::path done(int number) const { return waits_ / ("done" + std::to_string(number)); }
  fs::path go(int number) const { return waits_ / ("go" + std::to_string(number)); }
  std::vector<std::string> command_of(std::vector<std::string> steps,
                                      const std::vector<std::string>& more) {
    int ends = 0;
    for (std::string& step : steps) {
      if (step == "next") step = "await=" + go(++waits_of_steps_).string();
      if (step == "done") step = "touch=" + done(++ends).string();
    }
    std::vector<std::string> options{"--armed"};
    options.insert(options.end(), more.begin(), more.end());
    return record_command(folder_ / "t.sqlite", LAPSCOPE_FAKE_CUPTI, steps, options);
  }

  TemporaryFolder folder_;
  TemporaryFolder waits_;
  int waits_of_steps_ = 0;
  int gone_on_ = 0;
  int done_ = 0;
  bool has_ended_ = false;
  std::vector<std::string> command_;
  Child recorder_;
};

}  // namespace lapscope::test
