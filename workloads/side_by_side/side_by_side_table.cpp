#include "workloads/side_by_side/side_by_side_table.h"

#include <iomanip>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "workloads/harness/workload_report.h"

namespace lapscope::workloads::side_by_side {
namespace {

using Json = nlohmann::ordered_json;

std::string fixed(double value, int decimals) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(decimals) << value;
  return text.str();
}

template <typename Member>
double median_of(const std::vector<BesideCopies>& all, Member member) {
  std::vector<double> values;
  for (const BesideCopies& each : all) values.push_back(each.*member);
  return median(std::move(values));
}

// Returns the median of the member `beside` divided by the median of the member `alone`.
template <typename Member>
std::string against(const std::vector<BesideCopies>& all, Member beside, Member alone) {
  return all.empty() ? "" : fixed(median_of(all, beside) / median_of(all, alone), 2);
}

std::vector<std::string> cells(const Row& row, const std::vector<int>& at_once) {
  const auto one = row.us.find(1);
  const double alone_us = one == row.us.end() ? 0 : median(one->second);
  std::vector<std::string> cells{row.name, std::to_string(row.blocks),
                                 alone_us > 0 ? fixed(alone_us, 1) : ""};
  for (const int count : at_once) {
    if (count == 1) continue;
    const auto place = row.us.find(count);
    const bool known = place != row.us.end() && alone_us > 0;
    cells.push_back(known ? fixed(median(place->second) / alone_us, 2) : row.failed);
  }
  using B = BesideCopies;
  cells.push_back(against(row.copies, &B::kernel_us, &B::kernel_alone_us));
  cells.push_back(against(row.copies, &B::copy_in_us, &B::copy_in_alone_us));
  cells.push_back(against(row.copies, &B::copy_out_us, &B::copy_out_alone_us));
  return cells;
}

Json json_of(const BesideCopies& copies) {
  return {{"kernel_alone_us", copies.kernel_alone_us},     {"kernel_us", copies.kernel_us},
          {"copy_in_alone_us", copies.copy_in_alone_us},   {"copy_in_us", copies.copy_in_us},
          {"copy_out_alone_us", copies.copy_out_alone_us}, {"copy_out_us", copies.copy_out_us}};
}

Json json_of(const Row& row) {
  Json us = Json::object();
  for (const auto& [count, values] : row.us) us[std::to_string(count)] = values;
  Json copies = Json::array();
  for (const BesideCopies& each : row.copies) copies.push_back(json_of(each));
  return {{"name", row.name},    {"blocks", row.blocks},
          {"work", row.work},    {"us", us},
          {"copies", copies},    {"beside_copies_us", row.beside_copies_us},
          {"failed", row.failed}};
}

}  // namespace

void print_text(std::ostream& out, const std::vector<Row>& rows, const std::vector<int>& at_once) {
  using Align = TextTable::Align;
  std::vector<TextTable::Column> columns{
      {"kernel"}, {"blocks", Align::right}, {"alone us", Align::right}};
  for (const int count : at_once) {
    if (count != 1) columns.push_back({"x" + std::to_string(count), Align::right});
  }
  for (const char* title : {"beside copies", "copy in", "copy out"}) {
    columns.push_back({title, Align::right});
  }
  TextTable table(columns);
  for (const Row& row : rows) table.add(cells(row, at_once));
  out << table;
}

void print_json(std::ostream& out, const std::vector<Row>& rows, const std::string& device,
                const std::string& form, bool seen) {
  Json kernels = Json::array();
  for (const Row& row : rows) kernels.push_back(json_of(row));
  out << Json{{"schema", "lapscope-side-by-side/1"},
              {"device", device},
              {"form", form},
              {"seen", seen},
              {"kernels", kernels}}
             .dump(1)
      << '\n';
}

}  // namespace lapscope::workloads::side_by_side
