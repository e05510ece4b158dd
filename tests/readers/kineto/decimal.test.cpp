#include "readers/kineto/decimal.h"

#include "tests/catch.h"

namespace lapscope::kineto {
namespace {

constexpr int us_to_ns = 3;

TEST_CASE("instants are exact beyond what a double holds", "[kineto]") {
  CHECK(scaled("1365627862757.064", us_to_ns) == 1'365'627'862'757'064);
  CHECK(scaled("1712867402348289", us_to_ns) == 1'712'867'402'348'289'000);
  CHECK(scaled("1712867402348289.001", us_to_ns) == 1'712'867'402'348'289'001);
  CHECK(scaled("4203669604956.27", us_to_ns) == 4'203'669'604'956'270);
  CHECK(scaled("1.712867402348289001e15", us_to_ns) == 1'712'867'402'348'289'001);
  CHECK(scaled("-3.5", us_to_ns) == -3500);
}

TEST_CASE("what is shorter than a nanosecond is rounded", "[kineto]") {
  CHECK(scaled("0.0004", us_to_ns) == 0);
  CHECK(scaled("0.0005", us_to_ns) == 1);
  CHECK(scaled("1.23449", us_to_ns) == 1234);
  CHECK(scaled("1.2345", us_to_ns) == 1235);
  CHECK(scaled("9.9996", us_to_ns) == 10'000);
  CHECK(scaled("5E-4", us_to_ns) == 1);
  CHECK(scaled("4e-9999", us_to_ns) == 0);
}

TEST_CASE("what does not fit into 64 bits is no integer", "[kineto]") {
  CHECK(integer("9223372036854775807") == 9'223'372'036'854'775'807);
  CHECK_FALSE(integer("9223372036854775808"));
  CHECK_FALSE(integer("18446744073709551615"));
  CHECK_FALSE(scaled("9223372036854775807", us_to_ns));
  CHECK_FALSE(integer("1e40"));
  CHECK(integer("0e40") == 0);
  CHECK(integer("000000000000000000000000000000000007") == 7);
}

TEST_CASE("an integer is one however it is written", "[kineto]") {
  CHECK(integer("1000") == 1000);
  CHECK(integer("1e3") == 1000);
  CHECK(integer("7.0") == 7);
  CHECK(integer("-1") == -1);
  CHECK_FALSE(integer("7.5"));
}

TEST_CASE("what is no number is none", "[kineto]") {
  for (const char* text : {"", "-", ".", "e", "1e", "1e+", "stream 7", "0x7", "1 ", "nan", "--1",
                           "1.2.3", "1e99999"}) {
    INFO(text);
    CHECK_FALSE(scaled(text, 0));
  }
}

}  // namespace
}  // namespace lapscope::kineto
