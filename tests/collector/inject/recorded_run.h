#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collector/schema/sqlite.h"
#include "tests/collector/support/child.h"
#include "tests/collector/support/real_cupti.h"
#include "tests/collector/support/rows.h"

namespace lapscope::test {

// Runs `lapscope record` on fake_cuda_program with these steps. It uses fake_cupti, unless the
// options name a library.
class RecordedRun {
 public:
  struct Options {
    Environment environment = {};
    std::string cupti = LAPSCOPE_FAKE_CUPTI;
    std::string output = "t.sqlite";
    std::vector<std::string> options = {};  // further options of `record`
  };
  explicit RecordedRun(const std::vector<std::string>& steps) : RecordedRun(steps, Options{}) {}
  RecordedRun(const std::vector<std::string>& steps, const Options& options);

  const TemporaryFolder& folder() const { return folder_; }
  int exit_status() const { return finished_.exit_status; }
  const std::string& out() const { return finished_.out; }
  const std::string& err() const { return finished_.err; }
  bool says(const std::string& text) const { return err().find(text) != std::string::npos; }

  // Opens a trace, which must be one file, without a -wal file.
  schema::Database trace(const std::string& name = "t.sqlite") const;
  std::optional<std::string> fact(std::string_view name,
                                  const std::string& file = "t.sqlite") const;
  template <class Row>
  std::vector<Row> rows(const std::string& file = "t.sqlite") const {
    schema::Database database = trace(file);
    return all_rows<Row>(database);
  }
  // Returns the number of kernels and copies. "work=N" makes N of each.
  std::size_t ops(const std::string& file = "t.sqlite") const;

 private:
  TemporaryFolder folder_;
  Finished finished_;
};

// Returns a command of `lapscope record` that writes to `output`. Skips the test if `cupti` is
// fake_cupti and the real libcupti is not installed: fake_cupti needs the real libcupti.
std::vector<std::string> record_command(const std::filesystem::path& output,
                                        const std::string& cupti,
                                        const std::vector<std::string>& steps,
                                        const std::vector<std::string>& options = {});

}  // namespace lapscope::test
