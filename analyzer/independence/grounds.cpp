#include "analyzer/independence/grounds.h"

namespace lapscope::analyzer {

const Rule& rule_of(Grounds grounds) {
  switch (grounds) {
    case Grounds::side_by_side:
      return rule::ran_side_by_side;
    case Grounds::data_on_host:
      return rule::data_on_host;
    case Grounds::result_unread:
      return rule::result_unread;
    case Grounds::there_and_back:
      return rule::there_and_back;
    case Grounds::own_executable:
      return rule::own_executable;
    case Grounds::separate_copies:
      return rule::separate_copies;
    default:
      return rule::issued_ahead;
  }
}

bool begins_anew(Grounds grounds) {
  return grounds == Grounds::issued_ahead || grounds == Grounds::side_by_side ||
         grounds == Grounds::there_and_back || grounds == Grounds::own_executable;
}

bool is_of_copies_alone(Grounds grounds) {
  return grounds == Grounds::data_on_host || grounds == Grounds::result_unread;
}

}  // namespace lapscope::analyzer
