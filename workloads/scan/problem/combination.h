#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lapscope::workloads::scan {

// The elements of the input. The result has the same type, but for u8, which is summed in 32 bits.
enum class ElementType { u8, i32, u32, u64, f32 };

enum class Operator {
  sum,
  max,
  // Composition of maps x -> m * x + c, packed into one word: the high half is m, the low half c.
  // Associative and not commutative, so that it finds a scan that combines out of order.
  affine,
};

// The output at i combines the inputs up to and including i, or those before i.
enum class Kind { inclusive, exclusive };

struct Combination {
  ElementType type = ElementType::u32;
  Operator op = Operator::sum;

  friend bool operator==(const Combination&, const Combination&) = default;
};

// All of them, each type with each operator that has a meaning for it: affine needs u32 or u64.
const std::vector<Combination>& combinations();

std::string_view name_of(ElementType type);
std::string_view name_of(Operator op);
std::string_view name_of(Kind kind);

// Throw UsageError, listing the valid names.
ElementType parse_type(std::string_view name);
Operator parse_operator(std::string_view name);

// Throws UsageError if the operator has no meaning for the type.
void validate(Combination combination);

std::size_t input_bytes(ElementType type);   // Of one element.
std::size_t output_bytes(ElementType type);  // Of one element.

}  // namespace lapscope::workloads::scan
