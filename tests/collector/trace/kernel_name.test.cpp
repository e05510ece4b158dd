#include "collector/trace/kernel_name.h"

#include "tests/catch.h"

namespace lapscope::trace {
namespace {

TEST_CASE("a short name has no scope and no arguments and no return type", "[trace]") {
  CHECK(short_name("kernel") == "kernel");
  CHECK(short_name("kernel(int*)") == "kernel");
  CHECK(short_name("void ns::scan<int>(int*, int*)") == "scan");
  CHECK(short_name("a::b::c::deep()") == "deep");
  CHECK(short_name("void a::B<int>::run<c::D, 4>(c::D::E)") == "run");
}

TEST_CASE("template arguments do not disturb a short name", "[trace]") {
  CHECK(short_name("void k<(ns::mode)1>(ns::box<(ns::mode)1>)") == "k");
  CHECK(short_name("void k<std::pair<int, a::b<c::d>>, 7u>(float (*)(int))") == "k");
  CHECK(short_name("void k<void (*)(int, a::b)>(void (*)(int, a::b))") == "k");
  CHECK(short_name("void k<f::{lambda(int)#1}>(f::{lambda(int)#1})") == "k");
  CHECK(short_name("void k<main::{lambda(int)#1}::operator()(int) const::{lambda()#2}>(int)") ==
        "k");
}

TEST_CASE("anonymous namespaces are scopes like others", "[trace]") {
  CHECK(short_name("(anonymous namespace)::step(float*, int)") == "step");
  CHECK(short_name("void (anonymous namespace)::step<(anonymous namespace)::T>(int)") == "step");
  CHECK(short_name("void a::(anonymous namespace)::step<int>(int)") == "step");
}

TEST_CASE("call operators have a name of their own", "[trace]") {
  CHECK(short_name("ns::functor::operator()(int) const") == "operator()");
  CHECK(short_name("void ns::functor::operator()<int>(int) const") == "operator()");
}

TEST_CASE("what has no name at all stays as it is", "[trace]") {
  CHECK(short_name("") == "");
  CHECK(short_name("(unnamed kernel)") == "(unnamed kernel)");
}

}  // namespace
}  // namespace lapscope::trace
