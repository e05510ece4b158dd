#include "readers/kineto/decimal.h"

namespace lapscope::kineto {
namespace {

bool is_digit(char c) { return '0' <= c && c <= '9'; }

// A number as an integer of its digits, and where its point is.
struct Decimal {
  bool is_negative = false;
  std::string_view whole;     // digits before the point
  std::string_view fraction;  // and behind it
  int exponent = 0;
};

std::string_view take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<Decimal> parse(std::string_view text) {
  Decimal number;
  number.is_negative = take(text, '-');
  number.whole = take_digits(text);
  if (take(text, '.')) number.fraction = take_digits(text);
  if (number.whole.empty() && number.fraction.empty()) return std::nullopt;
  if (take(text, 'e') || take(text, 'E')) {
    const bool is_negative = take(text, '-');
    if (!is_negative) take(text, '+');
    const std::string_view digits = take_digits(text);
    // No exponent of so many digits belongs to a number that fits.
    if (digits.empty() || digits.size() > 4) return std::nullopt;
    for (const char c : digits) number.exponent = number.exponent * 10 + (c - '0');
    if (is_negative) number.exponent = -number.exponent;
  }
  if (!text.empty()) return std::nullopt;
  return number;
}

// The digit of 10^-1, 10^-2, … of the number times 10^exponent is behind its point, all others
// before it.
char digit_at(const Decimal& number, std::int64_t place) {
  const auto whole = static_cast<std::int64_t>(number.whole.size());
  const auto fraction = static_cast<std::int64_t>(number.fraction.size());
  if (place < 0 || place >= whole + fraction) return '0';
  return place < whole ? number.whole[static_cast<std::size_t>(place)]
                       : number.fraction[static_cast<std::size_t>(place - whole)];
}

}  // namespace

std::optional<std::int64_t> scaled(std::string_view text, int exponent) {
  const auto number = parse(text);
  if (!number) return std::nullopt;
  // How many digits are before the point then.
  const std::int64_t places =
      static_cast<std::int64_t>(number->whole.size()) + number->exponent + exponent;
  std::int64_t value = 0;
  const auto append = [&value](char digit) {
    return !__builtin_mul_overflow(value, std::int64_t{10}, &value) &&
           !__builtin_add_overflow(value, std::int64_t{digit} - '0', &value);
  };
  // Zeros in front cost nothing, however many they are; a number that fits has at most 19 others.
  for (std::int64_t place = 0; place < places; ++place) {
    if (!append(digit_at(*number, place))) return std::nullopt;
    const auto digits = static_cast<std::int64_t>(number->whole.size() + number->fraction.size());
    if (value == 0 && place >= digits) return 0;
  }
  if (places >= 0 && digit_at(*number, places) >= '5') {
    if (__builtin_add_overflow(value, std::int64_t{1}, &value)) return std::nullopt;
  }
  return number->is_negative ? -value : value;
}

std::optional<std::int64_t> integer(std::string_view text) {
  const auto value = scaled(text, 0);
  // A text that is an integer is the same times ten, but for what does not fit then.
  if (!value || text.find_first_of(".eE") == std::string_view::npos) return value;
  const auto tenfold = scaled(text, 1);
  return tenfold && *tenfold == *value * 10 ? value : std::nullopt;
}

}  // namespace lapscope::kineto
