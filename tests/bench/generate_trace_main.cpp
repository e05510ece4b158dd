#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>

#include "tests/bench/trace_generator.h"

int main(int argc, char** argv) {
  using namespace lapscope::bench;
  TraceShape shape;
  std::string path;
  CLI::App app("Writes a synthetic trace of a copy-compute-copy pipeline.", "generate_trace");
  app.add_option("OPS", shape.ops, "Kernels, copies and memsets together")->required();
  app.add_option("OUT", path, "The trace to write; must not exist")->required();
  app.add_option("--devices", shape.devices, "GPUs")->capture_default_str();
  app.add_option("--streams", shape.streams, "Streams of each GPU")->capture_default_str();
  app.add_option("--threads", shape.threads, "Threads that issue work")->capture_default_str();
  app.add_option("--seed", shape.seed, "Another seed gives another trace of the same sort")
      ->capture_default_str();
  try {
    app.parse(argc, argv);
    generate_trace(path, shape);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::invalid_argument& error) {
    std::cerr << "generate_trace: " << error.what() << ".\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "generate_trace: " << error.what() << ".\n";
    return 1;
  }
  return 0;
}
