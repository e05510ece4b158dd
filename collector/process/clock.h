#pragma once

#include <time.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace lapscope::process {

// Returns the time of a clock in ns; 0 if the clock cannot be read.
inline std::int64_t read_clock(clockid_t clock) noexcept {
  timespec time{};
  if (::clock_gettime(clock, &time) != 0) return 0;
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// Returns the time in ns since 1970 UTC, from the clock of CUPTI's NVTX records.
inline std::uint64_t utc_ns() noexcept {
  return static_cast<std::uint64_t>(read_clock(CLOCK_REALTIME));
}

// Formats a time, in ns since 1970 UTC, as "2026-11-21T03:04:05Z". gmtime_r is not used, because it
// reads a time zone from the environment, which UTC does not need.
inline std::string iso_utc(std::int64_t time) {
  using namespace std::chrono;
  const sys_seconds seconds{floor<std::chrono::seconds>(nanoseconds(time))};
  const sys_days day = floor<days>(seconds);
  const year_month_day date(day);
  const hh_mm_ss of_day(seconds - day);
  char text[64] = {};
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(of_day.hours().count()),
                static_cast<int>(of_day.minutes().count()),
                static_cast<int>(of_day.seconds().count()));
  return text;
}

}  // namespace lapscope::process
