#include "analyzer/independence/grounds.h"

namespace lapscope::analyzer {

const Rule& rule_of(Grounds grounds) {
  constexpr const Rule* rules[] = {nullptr,
                                   &rule::issued_ahead,
                                   &rule::ran_side_by_side,
                                   &rule::data_on_host,
                                   &rule::result_unread,
                                   &rule::there_and_back,
                                   &rule::own_executable,
                                   &rule::separate_copies};
  static_assert(std::size(rules) == static_cast<std::size_t>(Grounds::separate_copies) + 1);
  return *rules[static_cast<std::size_t>(grounds)];
}

bool begins_anew(Grounds grounds) {
  return grounds == Grounds::issued_ahead || grounds == Grounds::side_by_side ||
         grounds == Grounds::there_and_back || grounds == Grounds::own_executable;
}

bool is_of_copies_alone(Grounds grounds) {
  return grounds == Grounds::data_on_host || grounds == Grounds::result_unread;
}

}  // namespace lapscope::analyzer
