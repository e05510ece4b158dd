#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tests/altered/alterations.h"

// Alterations that no check can detect (docs/security.md): the new value is valid for its column,
// and no other record has the old value.
namespace lapscope::altered {

struct Undetectable {
  std::string_view table;
  std::string_view columns;  // separated by blanks
  std::string_view reason;
};

std::span<const Undetectable> undetectable();

// Returns the alteration as a row of the table in docs/security.md.
std::string table_row(const Undetectable& one);

// Returns whether no check can detect the alteration. Checks always detect invalid values, and
// deleted or doubled rows.
bool is_undetectable(const Alteration& alteration);

}  // namespace lapscope::altered
