#pragma once

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/findings/causes_result.h"

namespace lapscope::test {

// What the analysis says of one trace of the catalogue: of the range of its case, on the GPU that
// took longest, which is what the program takes.
struct AccuracyRow {
  std::string name;
  std::string variant;
  std::string planted;  // the first code; empty when nothing is
  double wall_ms = 0;
  double replay_error = 0;
  double blind_error = 0;
  std::string top;    // the code of the first finding; empty when there is none
  std::string asked;  // where there is no finding, the code of the first question
  double top_saving = 0;
  std::string bound_by;
  double bound_share = 0;
  double unexplained_share = 0;
};

// A recorded program, what it is predicted to take with fixes made, and what the program that has
// them takes.
struct AccuracyPair {
  std::string name;
  std::string variant;
  std::vector<std::string> fixes;  // as for `whatif --fix`
  std::string put_right;           // as CASE VARIANT; of the same case, the variant alone
  double wall_ms = 0;              // recorded
  double bare_ms = 0;              // without a recorder, median; likewise the last one
  double predicted_ms = 0;  // where the trace does not show what kernels share, at the cautious end
  double least_ms = 0;      // and at the other one
  double put_right_ms = 0;
  double put_right_from_ms = 0;  // the least of its runs, and the most: 0 where nobody kept them
  double put_right_to_ms = 0;
  bool is_kept_aside = false;  // nothing is fitted to it: it or the other program is of such a case
  analyzer::Prediction prediction;
  analyzer::ReplayResult replay;     // of the unchanged run
  std::vector<std::string> assumed;  // what stood in for examples, by name

  double error() const { return predicted_ms / put_right_ms - 1; }
  double least_error() const { return least_ms / put_right_ms - 1; }
  // By how much it is outside of what was predicted: 0 between the two ends.
  double miss() const {
    if (least_error() > 0) return least_error();
    return std::min(0.0, error());
  }
};

// A trace from its first op to its last, on the GPU of which most is not explained.
struct WholeTrace {
  std::string name;  // of the file, without .sqlite; with the folder that it is in
  double wall_ms = 0;
  double replay_error = 0;
  double unexplained_share = 0;
};

struct Accuracy {
  std::vector<AccuracyRow> rows;    // by case
  std::vector<AccuracyPair> pairs;  // likewise
  // Those of them that are not kept aside, predicted with StandInValues chosen without their case.
  std::vector<AccuracyPair> left_out;
  // Of programs put right, with the fix made once more: what they take should not change.
  std::vector<AccuracyPair> again;
  std::vector<WholeTrace> whole;  // by name
  // The same programs on a GPU of another kind, with nothing chosen anew. Only where something is
  // planted is there a trace.
  std::vector<AccuracyRow> rows_on_h100;
  std::vector<AccuracyPair> pairs_on_h100;
  // Of those without anything planted: of each the codes of what was found when it was recorded.
  std::vector<std::vector<std::string>> found_without_cause_on_h100;

  // What evidence is made of: `left_out`, and the pairs kept aside.
  std::vector<AccuracyPair> out_of_sample() const;
};

// Of all recorded traces in `traces`: of the catalogue, and in the folders beside it.
Accuracy read_accuracy(const std::filesystem::path& traces);

// Of |values|.
double median_of(std::vector<double> values);
double worst_of(const std::vector<double>& values);

// error(), least_error() or miss() of each.
std::vector<double> errors_of(const std::vector<AccuracyPair>& pairs,
                              double (AccuracyPair::*error)() const);

}  // namespace lapscope::test
