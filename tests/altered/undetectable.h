#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tests/altered/alterations.h"

// What nobody can see in a trace: a value that the column can have, and that no other record of the
// trace repeats. docs/security.md has the list.
namespace lapscope::altered {

struct Undetectable {
  std::string_view table;
  std::string_view columns;  // separated by blanks
  std::string_view reason;
};

std::span<const Undetectable> undetectable();

// A row of the table in docs/security.md.
std::string table_row(const Undetectable& one);

// Never where a value is none that the column can have, or rows are gone or there twice.
bool is_undetectable(const Alteration& alteration);

}  // namespace lapscope::altered
