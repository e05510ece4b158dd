#include "readers/laws/check_laws.h"

#include <array>
#include <string>

#include "collector/schema/capture_facts.h"
#include "readers/tables/provenance.h"

namespace lapscope::analyzer {
namespace {

using schema::Law;

struct Check {
  Law law;
  std::int64_t (*broken)(const TraceAsRead&);
};

constexpr std::array checks = {
    Check{Law::facts, laws::facts},
    Check{Law::counted, laws::counted},
    Check{Law::received, laws::received},
    Check{Law::names_once, laws::names_once},
    Check{Law::one_function, laws::one_function},
    Check{Law::ids_of_calls, laws::ids_of_calls},
    Check{Law::calls_return, laws::calls_return},
    Check{Law::waits_end, laws::waits_end},
    Check{Law::kinds_of_waits, laws::kinds_of_waits},
    Check{Law::events_recorded, laws::events_recorded},
    Check{Law::known_streams, laws::known_streams},
    Check{Law::null_streams, laws::null_streams},
    Check{Law::gpus_listed, laws::gpus_listed},
    Check{Law::links, laws::links},
    Check{Law::known_threads, laws::known_threads},
    Check{Law::one_kernel_a_launch, laws::one_kernel_a_launch},
    Check{Law::issued_so, laws::issued_so},
    Check{Law::all_issued, laws::all_issued},
    Check{Law::in_order, laws::in_order},
    Check{Law::all_finished, laws::all_finished},
    Check{Law::directions, laws::directions},
    Check{Law::channels, laws::channels},
    Check{Law::overheads_nest, laws::overheads_nest},
    Check{Law::graphs, laws::graphs},
};

}  // namespace

bool is_recording(schema::Database& database) {
  const Capture capture = read_capture(database);
  return capture.count(schema::fact::cupti_library) > 0 || capture.count(schema::fact::session) > 0;
}

void add_broken_laws(const TraceAsRead& read, std::vector<HealthRow>& health) {
  for (const Check& check : checks) {
    const std::int64_t count = check.broken(read);
    if (count == 0) continue;
    const auto place = static_cast<std::size_t>(check.law);
    health.push_back({HealthKind::broken_law, count, {std::string(schema::law_texts[place].code)}});
  }
}

void add_impossible_values(const std::vector<schema::Database::Impossible>& values,
                           bool is_of_collector, std::vector<HealthRow>& health) {
  for (const auto& one : values) {
    if (one.is_of_collector && !is_of_collector) continue;
    health.push_back({HealthKind::impossible_values,
                      one.rows,
                      {std::string(one.table), std::string(one.column), one.first}});
  }
}

}  // namespace lapscope::analyzer
