#include "readers/write_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <vector>

// The layout of SQLite's write-ahead log: https://www.sqlite.org/fileformat.html, section 4. Its
// locks: https://www.sqlite.org/walformat.html, section 2.3.
namespace lapscope::analyzer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t header_bytes = 32;
constexpr std::size_t frame_header_bytes = 24;

using Bytes4 = const unsigned char*;

std::uint32_t big_endian(Bytes4 at) {
  return std::uint32_t{at[0]} << 24U | std::uint32_t{at[1]} << 16U | std::uint32_t{at[2]} << 8U |
         at[3];
}

struct Checksum {
  bool is_big_endian = false;
  std::uint32_t first = 0;
  std::uint32_t second = 0;

  // `size` is a multiple of 8.
  void add(Bytes4 bytes, std::size_t size) {
    const auto word = [this](Bytes4 at) {
      const std::uint32_t value = big_endian(at);
      return is_big_endian ? value : __builtin_bswap32(value);
    };
    for (std::size_t i = 0; i < size; i += 8) {
      first += word(bytes + i) + second;
      second += word(bytes + i + 4) + first;
    }
  }
  bool is_at(Bytes4 stored) const {
    return first == big_endian(stored) && second == big_endian(stored + 4);
  }
};

// The part of a log that SQLite would read.
struct Reach {
  std::uint64_t bytes = 0;
  std::uint64_t taken = 0;    // up to the end of the last complete transaction
  bool is_left_over = false;  // the bytes after `taken` are from an older log

  bool is_whole() const { return taken == bytes || is_left_over; }
  bool operator==(const Reach&) const = default;
};

bool read_into(std::ifstream& file, std::vector<unsigned char>& bytes) {
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return file.gcount() == static_cast<std::streamsize>(bytes.size());
}

// Returns whether a frame belongs to an older log. When SQLite restarts the log, it increments the
// first salt, and then overwrites the old frames one by one. So frames of an older log have a
// smaller salt than the header.
bool is_of_older_log(Bytes4 salt, Bytes4 header) {
  const std::uint32_t times_begun = big_endian(header + 12);
  const std::uint32_t younger_by = big_endian(header + 16) - big_endian(salt);
  return 0 < younger_by && younger_by <= times_begun;
}

Reach reach_of(const fs::path& log) {
  Reach reach;
  std::error_code error;
  reach.bytes = fs::file_size(log, error);
  if (error) return {};
  std::ifstream file(log, std::ios::binary);
  std::vector<unsigned char> header(header_bytes);
  constexpr std::uint32_t magic = 0x377F0682;  // the lowest bit is set if words are big-endian
  if (!read_into(file, header) || (big_endian(header.data()) & ~1U) != magic) return reach;
  Checksum sum{(header[3] & 1U) != 0};
  sum.add(header.data(), 24);
  const std::uint32_t page = big_endian(header.data() + 8);
  const bool is_size = 512 <= page && page <= 65536 && (page & (page - 1)) == 0;
  if (!is_size || !sum.is_at(header.data() + 24)) return reach;
  reach.taken = header_bytes;
  std::vector<unsigned char> frame(frame_header_bytes + page);
  for (std::uint64_t at = header_bytes;; at += frame.size()) {
    const bool is_complete = read_into(file, frame);
    const auto arrived = static_cast<std::size_t>(file.gcount());
    const unsigned char* const salt = frame.data() + 8;
    if (!is_complete || !std::equal(salt, salt + 8, header.data() + 16)) {
      reach.is_left_over =
          at == reach.taken && arrived >= 16 && is_of_older_log(salt, header.data());
      return reach;
    }
    sum.add(frame.data(), 8);
    sum.add(frame.data() + frame_header_bytes, page);
    if (!sum.is_at(frame.data() + 16)) return reach;
    const bool ends_transaction = big_endian(frame.data() + 4) != 0;
    if (ends_transaction) reach.taken = at + frame.size();
  }
}

// Returns whether a process is inside a transaction that writes.
bool is_written_to(const fs::path& database) {
  const int index = ::open((database.string() + "-shm").c_str(), O_RDONLY | O_CLOEXEC);
  if (index < 0) return false;
  struct flock write_lock {};
  write_lock.l_type = F_WRLCK;
  write_lock.l_whence = SEEK_SET;
  write_lock.l_start = 120;
  write_lock.l_len = 1;
  const bool is_held = ::fcntl(index, F_GETLK, &write_lock) == 0 && write_lock.l_type != F_UNLCK;
  ::close(index);
  return is_held;
}

}  // namespace

fs::path write_log_of(const fs::path& database) { return database.string() + "-wal"; }

bool has_write_log(const fs::path& database) {
  std::error_code error;
  const fs::path log = write_log_of(database);
  if (!fs::exists(log, error)) return false;
  return fs::file_size(log, error) > 0 || fs::exists(database.string() + "-shm", error);
}

std::optional<HealthRow> unread_log(const fs::path& database) {
  const fs::path log = write_log_of(database);
  Reach seen = reach_of(log);
  // The log may end inside a transaction that another process finishes a moment later. So read the
  // log again a few times.
  constexpr int most_times = 10;
  for (int time = 0; time < most_times && !seen.is_whole(); ++time) {
    if (is_written_to(database)) return std::nullopt;
    const Reach now = reach_of(log);
    if (now == seen) break;
    seen = now;
  }
  if (seen.is_whole()) return std::nullopt;
  return HealthRow{HealthKind::unread_log,
                   static_cast<std::int64_t>(seen.bytes - seen.taken),
                   {log.filename().string(), static_cast<std::int64_t>(seen.bytes)}};
}

}  // namespace lapscope::analyzer
