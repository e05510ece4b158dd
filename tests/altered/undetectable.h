#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tests/altered/alterations.h"

// Alterations that no check of a trace can detect. The new value is valid for its column. No other
// record of the trace has the old value. docs/security.md lists these alterations.
namespace lapscope::altered {

struct Undetectable {
  std::string_view table;
  std::string_view columns;  // separated by blanks
  std::string_view reason;
};

std::span<const Undetectable> undetectable();

// Returns the row of the table in docs/security.md.
std::string table_row(const Undetectable& one);

// Returns whether no check can detect the alteration. Invalid values, deleted rows and doubled rows
// are always detectable.
bool is_undetectable(const Alteration& alteration);

}  // namespace lapscope::altered
