#include "readers/kineto/decimal.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace lapscope::kineto {
namespace {

std::string_view take_digits(std::string_view& text) {
  const std::string_view digits = text.substr(0, text.find_first_not_of("0123456789"));
  text.remove_prefix(digits.size());
  return digits;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::optional<std::int64_t> scaled(std::string_view text, int exponent) {
  const bool is_negative = take(text, '-');
  std::string digits(take_digits(text));
  auto point = static_cast<std::int64_t>(digits.size()) + exponent;  // index of the point
  if (take(text, '.')) digits += take_digits(text);
  if (digits.empty()) return std::nullopt;
  if (take(text, 'e') || take(text, 'E')) {
    const bool is_small = take(text, '-');
    if (!is_small) take(text, '+');
    const std::string_view written = take_digits(text);
    // A number that fits int64 never needs an exponent of more than 4 digits.
    if (written.empty() || written.size() > 4) return std::nullopt;
    const std::int64_t power = std::stoi(std::string(written));
    point += is_small ? -power : power;
  }
  if (!text.empty()) return std::nullopt;
  const std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size());
  digits.erase(0, zeros);
  point -= static_cast<std::int64_t>(zeros);
  constexpr std::int64_t most_digits = 19;  // of a number that fits int64
  if (digits.empty() || point < 0) return 0;
  if (point > most_digits) return std::nullopt;
  digits.resize(static_cast<std::size_t>(point) + 1, '0');
  std::int64_t value = 0;
  const char* const last = &digits.back();  // the first digit after the point
  if (point > 0 && std::from_chars(digits.data(), last, value).ec != std::errc()) {
    return std::nullopt;
  }
  if (*last >= '5' && __builtin_add_overflow(value, std::int64_t{1}, &value)) return std::nullopt;
  return is_negative ? -value : value;
}

std::optional<std::int64_t> integer(std::string_view text) {
  const auto value = scaled(text, 0);
  // A number with a point or an exponent counts as an integer if its first decimal, after rounding,
  // is 0. So 1.0 and 1.04 count as 1, and 1.5 is no integer. Returns nothing if ten times the
  // number does not fit int64.
  if (!value || text.find_first_of(".eE") == std::string_view::npos) return value;
  const auto tenfold = scaled(text, 1);
  return tenfold && *tenfold == *value * 10 ? value : std::nullopt;
}

}  // namespace lapscope::kineto
