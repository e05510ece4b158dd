#include "readers/nsys/diagnostics.h"

#include <algorithm>
#include <array>
#include <map>

#include "collector/schema/export_tables.h"
#include "readers/nsys/rows.h"

namespace lapscope::analyzer::nsys {
namespace {

// Releases until 2022 use the second name.
constexpr std::array<std::string_view, 2> metadata = {"META_DATA_EXPORT",
                                                      schema::export_table::export_meta_data};

std::string fact(schema::Database& database, std::string_view name) {
  for (const std::string_view table : metadata) {
    Rows rows(database, table, {"name", "value"});
    while (rows.step()) {
      if (rows.text(0) == name) return rows.text(1);
    }
  }
  return "";
}

// The beginnings of messages of Nsight Systems.
struct Known {
  std::string_view begins;
  HealthKind kind;
};
constexpr Known known_sentences[] = {
    {"Not all CUDA events might have been collected", HealthKind::cuda_events_missing},
    {"Not all NVTX events might have been collected", HealthKind::nvtx_events_missing},
    {"No CUDA events collected", HealthKind::no_cuda_events},
};

bool is_about_cuda(const std::string& text) {
  constexpr std::array words = {"CUDA", "CUPTI", "Unified Memory"};
  return std::any_of(words.begin(), words.end(),
                     [&text](const char* word) { return text.find(word) != std::string::npos; });
}

// Returns the first sentence of a message without its full stop.
std::string first_sentence(const std::string& text) {
  std::string first = text.substr(0, text.find('\n'));
  for (std::size_t at = first.find('.'); at != std::string::npos; at = first.find('.', at + 1)) {
    const bool ends = at + 1 == first.size() || first[at + 1] == ' ' ||
                      (first[at + 1] >= 'A' && first[at + 1] <= 'Z');
    if (!ends) continue;
    first.resize(at);
    break;
  }
  return first;
}

}  // namespace

bool is_export(schema::Database& database) {
  if (!database.has_table("StringIds")) return false;
  constexpr std::array<std::string_view, 6> tables = {
      "CUPTI_ACTIVITY_KIND_KERNEL",     "CUPTI_ACTIVITY_KIND_MEMCPY",
      "CUPTI_ACTIVITY_KIND_MEMSET",     "CUPTI_ACTIVITY_KIND_RUNTIME",
      "TARGET_INFO_SESSION_START_TIME", schema::export_table::analysis_details};
  const auto has = [&database](std::string_view table) { return database.has_table(table); };
  return std::any_of(tables.begin(), tables.end(), has) ||
         std::any_of(metadata.begin(), metadata.end(), has);
}

std::string schema_version(schema::Database& database) {
  return fact(database, "EXPORT_SCHEMA_VERSION");
}

std::string product_version(schema::Database& database) {
  return fact(database, "EXPORT_PRODUCT_VERSION");
}

void add_diagnostics(schema::Database& database, std::vector<HealthRow>& health) {
  constexpr std::int64_t warning = 2;  // ENUM_DIAGNOSTIC_SEVERITY_LEVEL
  constexpr std::int64_t error = 3;
  std::map<std::string, std::int64_t> said;  // number of messages, by text
  Rows rows(database, schema::export_table::diagnostic_event, {"severity", "text"});
  while (rows.step()) {
    const auto severity = rows.integer(0);
    if (severity == warning || severity == error) ++said[first_sentence(rows.text(1))];
  }
  for (const auto& [text, count] : said) {
    const auto known =
        std::find_if(std::begin(known_sentences), std::end(known_sentences),
                     [&text = text](const Known& one) { return text.starts_with(one.begins); });
    if (known != std::end(known_sentences)) {
      health.push_back({known->kind, count, {text}});
    } else if (is_about_cuda(text)) {
      health.push_back({HealthKind::export_diagnostic, count, {text}});
    }
  }
}

}  // namespace lapscope::analyzer::nsys
