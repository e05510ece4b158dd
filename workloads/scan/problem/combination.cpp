#include "workloads/scan/problem/combination.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "workloads/harness/guard.h"
#include "workloads/scan/problem/problems.h"

namespace lapscope::workloads::scan {
namespace {

template <typename Value, std::size_t Count>
using Names = std::array<std::pair<Value, std::string_view>, Count>;

constexpr Names<ElementType, 5> type_names{{{ElementType::u8, "u8"},
                                            {ElementType::i32, "i32"},
                                            {ElementType::u32, "u32"},
                                            {ElementType::u64, "u64"},
                                            {ElementType::f32, "f32"}}};
constexpr Names<Operator, 3> operator_names{
    {{Operator::sum, "sum"}, {Operator::max, "max"}, {Operator::affine, "affine"}}};

template <typename Value, std::size_t Count>
std::string_view name_in(const Names<Value, Count>& names, Value value) {
  return std::ranges::find(names, value, &std::pair<Value, std::string_view>::first)->second;
}

template <typename Value, std::size_t Count>
Value parse_in(const Names<Value, Count>& names, std::string_view option, std::string_view text) {
  std::string valid;
  for (const auto& [value, name] : names) {
    if (name == text) return value;
    valid.append(valid.empty() ? "" : ", ").append(name);
  }
  throw UsageError(std::string(option) + " must be one of " + valid + ", not '" +
                   std::string(text) + "'");
}

}  // namespace

const std::vector<Combination>& combinations() {
  static const std::vector<Combination> all = combinations_of(AllProblems{});
  return all;
}

std::string_view name_of(ElementType type) { return name_in(type_names, type); }
std::string_view name_of(Operator op) { return name_in(operator_names, op); }
std::string_view name_of(Kind kind) { return kind == Kind::inclusive ? "inclusive" : "exclusive"; }

ElementType parse_type(std::string_view name) { return parse_in(type_names, "--type", name); }
Operator parse_operator(std::string_view name) { return parse_in(operator_names, "--op", name); }

void validate(Combination combination) {
  if (std::ranges::find(combinations(), combination) != combinations().end()) return;
  throw UsageError("--op " + std::string(name_of(combination.op)) +
                   " needs --type u32 or u64: a map is packed into the two halves of a word");
}

std::size_t input_bytes(ElementType type) {
  switch (type) {
    case ElementType::u8:
      return 1;
    case ElementType::u64:
      return 8;
    default:
      return 4;
  }
}

std::size_t output_bytes(ElementType type) { return type == ElementType::u64 ? 8 : 4; }

}  // namespace lapscope::workloads::scan
