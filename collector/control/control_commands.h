#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lapscope::control {

// The maximum of Command::keep. It limits the memory that an armed process needs for the records
// that it keeps.
inline constexpr std::chrono::seconds most_kept(60);

// A command of `lapscope ctl` to an armed process. A capture ends when `duration` is over, when all
// `iterations` are complete, or when `until_range` begins, whichever is first. If the command sets
// none of these, the capture lasts until a stop command. With `keep`, a slow iteration ends the
// capture. Without `keep`, a slow iteration begins the capture.
//
// Iterations are the NVTX ranges with one name, counted from 1 in the order in which they begin.
struct Command {
  enum class Verb : std::uint8_t { start, stop, status };
  Verb verb = Verb::status;
  std::optional<std::chrono::milliseconds> duration;
  std::string iteration_range;       // the name; empty: the process chooses a name
  std::optional<std::int64_t> from;  // the first iteration of the capture; nothing: the next
  // An iteration is slow if it took longer than this factor times the median of the earlier
  // iterations.
  std::optional<double> slower;
  std::optional<std::int64_t> iterations;         // number of whole iterations
  std::optional<std::string> until_range;         // ends when an NVTX range of this name begins
  std::optional<std::chrono::milliseconds> keep;  // the trace has only this last part
  // Leaves out the same groups of records as `record --light`, but records all CUDA calls.
  bool is_light = false;
  bool waits_for_slow_iteration() const { return slower && !keep; }
  bool uses_iterations() const { return from || slower || iterations; }
};
// line_of() converts a command to a line, such as "start\tduration=5000\titerations=20".
// command_of() converts the line back. It returns nothing for an unknown line, which may be from
// another version of lapscope.
std::string line_of(const Command& command);
std::optional<Command> command_of(std::string_view line);

// The state that an armed process answers with.
struct State {
  bool is_capturing = false;
  int captures = 0;             // number of captures that have begun
  std::filesystem::path trace;  // of the last capture; empty before the first
  std::string problem;          // of the last capture: a sentence; empty if there is none
  std::string refusal;          // why the command was not carried out; else empty
  std::string note;             // such as what the capture waits for
};
// line_of() converts a state to a line. The line has these fields, separated by tabs: "capturing"
// or "armed", the number of captures, the path, the problem, the refusal and the note. state_of()
// converts the line back. It returns nothing for other lines.
std::string line_of(const State& state);
std::optional<State> state_of(std::string_view line);

// Commands to armed processes on several machines that share a file system. A socket reaches only
// the processes of one machine. The command file is in the folder of the sockets, and reaches the
// processes of all machines.

// Makes an empty command file if there is none. NFS may hide a new file from other machines for up
// to a minute. Without the empty file, a program on another machine could see the first command
// late. Ignores errors.
void make_command_file(const std::filesystem::path& folder) noexcept;

// Replaces the file, so that every armed process reads the command. Throws std::system_error.
void write_command_file(const std::filesystem::path& folder, const Command& command);

// Removes the folder and the file in it if no process has a socket in the folder.
void remove_unused(const std::filesystem::path& folder) noexcept;

// Reads commands from the command file. next() returns each command once. Ignores a command that is
// in the file when this object is made, because it belongs to an earlier run.
class CommandFile {
 public:
  explicit CommandFile(const std::filesystem::path& folder);
  // Reads the file. Returns nothing if there is no new command, or if command_of() does not
  // understand the command.
  std::optional<Command> next();

 private:
  std::string read() const;

  const std::filesystem::path path_;
  std::string last_;  // what was read last
};

}  // namespace lapscope::control
