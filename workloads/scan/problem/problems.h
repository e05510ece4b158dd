#pragma once

#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "workloads/scan/problem/combination.h"
#include "workloads/scan/problem/operators.h"

namespace lapscope::workloads::scan {

template <typename In>
constexpr ElementType element_type() {
  if constexpr (std::is_same_v<In, std::uint8_t>) return ElementType::u8;
  if constexpr (std::is_same_v<In, std::int32_t>) return ElementType::i32;
  if constexpr (std::is_same_v<In, std::uint64_t>) return ElementType::u64;
  if constexpr (std::is_same_v<In, float>) return ElementType::f32;
  return ElementType::u32;
}

// One combination as types: elements of type In are read, combined as Acc by Op, written as Acc.
template <typename InType, typename AccType, template <typename> class OpType>
struct Problem {
  using In = InType;
  using Acc = AccType;
  using Op = OpType<AccType>;
  // The same scan of results: what a scan of the totals of tiles is.
  using OfResults = Problem<Acc, Acc, OpType>;
  static constexpr Combination combination{element_type<In>(), Op::name};
};

template <template <typename> class Op>
using U8 = Problem<std::uint8_t, std::uint32_t, Op>;
template <template <typename> class Op>
using I32 = Problem<std::int32_t, std::int32_t, Op>;
template <template <typename> class Op>
using U32 = Problem<std::uint32_t, std::uint32_t, Op>;
template <template <typename> class Op>
using U64 = Problem<std::uint64_t, std::uint64_t, Op>;
template <template <typename> class Op>
using F32 = Problem<float, float, Op>;

template <typename... Ps>
struct Problems {};

// Every kernel is compiled for every entry of its list, by name: nothing else is instantiated.
using AllProblems = Problems<U8<Sum>, I32<Sum>, U32<Sum>, U64<Sum>, F32<Sum>, U8<Max>, I32<Max>,
                             U32<Max>, U64<Max>, F32<Max>, U32<Affine>, U64<Affine>>;

// For rungs that only teach: one operator that any mistake in the order of combining breaks, and
// two that people expect.
using TeachingProblems = Problems<U32<Sum>, F32<Sum>, U32<Affine>>;

template <typename... Ps>
std::vector<Combination> combinations_of(Problems<Ps...>) {
  return {Ps::combination...};
}

template <typename List>
bool contains(Combination combination) {
  for (const Combination listed : combinations_of(List{})) {
    if (listed == combination) return true;
  }
  return false;
}

// Calls `use(P{})` for the entry of the list that is `combination`. Throws std::logic_error if
// there is none: ask `contains` first.
template <typename... Ps, typename Use>
void with_problem(Problems<Ps...>, Combination combination, Use use) {
  const bool found = ((Ps::combination == combination ? (use(Ps{}), true) : false) || ...);
  if (!found) throw std::logic_error("this rung was not compiled for this type and operator");
}

}  // namespace lapscope::workloads::scan
