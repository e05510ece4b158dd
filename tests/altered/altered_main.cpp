#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

#include "tests/altered/alterations.h"
#include "tests/altered/altered_gates.h"
#include "tests/altered/undetectable.h"

// Prints the altered copies that pass a gate which the original fails. A line has trace, table,
// column, alteration, conditions, verdict and defects, separated by tabs. The last line has the
// number of tried copies.
//
//   altered_gates EVERY FIRST TRACE...    tries every EVERY-th copy, starting with the FIRST
namespace lapscope::altered {
namespace {

namespace fs = std::filesystem;
using analyzer::Outcome;

struct Tried {
  int copies = 0;
  int refused = 0;  // SQLite refused the statement, e.g. because of a constraint
  int turned = 0;
  int excused = 0;  // the part of `turned` that no check can detect
};

fs::path place_of_copies() {
  const char* const memory = "/dev/shm";
  const fs::path folder = ::access(memory, W_OK) == 0 ? memory : fs::temp_directory_path();
  return folder / ("lapscope-altered-" + std::to_string(::getpid()) + ".sqlite");
}

void report(const fs::path& trace, const Alteration& alteration, const Judged& now,
            const std::string& turned) {
  std::cout << trace.stem().string() << '\t' << alteration.table << '\t' << alteration.column
            << '\t' << alteration.what << '\t' << turned << '\t' << name_of(now.verdict) << '\t';
  for (const std::string& defect : now.defects) std::cout << defect << ' ';
  std::cout << std::endl;
}

void try_all(const fs::path& trace, int every, int first, Tried& tried) {
  const std::set<Condition> conditions = failing_conditions(trace);
  const fs::path copy = place_of_copies();
  const std::vector<Alteration> all = alterations_of(trace);
  for (std::size_t i = static_cast<std::size_t>(first); i < all.size();
       i += static_cast<std::size_t>(every)) {
    if (!write_altered(trace, all[i], copy)) {
      ++tried.refused;
      continue;
    }
    ++tried.copies;
    const Judged now = judged(copy, conditions);
    std::string turned;
    for (const auto& [condition, outcome] : now.outcomes) {
      if (outcome != Outcome::passed) continue;
      turned +=
          (turned.empty() ? "" : ", ") + condition.text + (condition.is_whole ? " (whole)" : "");
    }
    if (turned.empty()) continue;
    ++tried.turned;
    if (is_undetectable(all[i])) {
      ++tried.excused;
      continue;
    }
    report(trace, all[i], now, turned);
  }
  fs::remove(copy);
}

}  // namespace
}  // namespace lapscope::altered

int main(int argc, char** argv) {
  lapscope::altered::Tried tried;
  for (int i = 3; i < argc; ++i) {
    lapscope::altered::try_all(argv[i], std::atoi(argv[1]), std::atoi(argv[2]), tried);
  }
  std::cout << tried.copies << " copies, " << tried.turned << " turned, of which nobody can see "
            << tried.excused << "; " << tried.refused << " statements that SQLite refuses"
            << std::endl;
  return tried.turned > tried.excused ? 1 : 0;
}
