#include "reports/html/payload.h"

#include <zlib.h>

#include <array>
#include <cstdint>
#include <stdexcept>

namespace lapscope::reports {

std::string deflated(std::string_view bytes) {
  z_stream stream{};
  constexpr int raw_window = -15;  // bits; negative: no header
  constexpr int memory_level = 9;
  if (::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, raw_window, memory_level,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("the data of a page could not be compressed: out of memory.");
  }
  std::string compressed;
  std::array<char, 1 << 16> chunk;
  // zlib counts input in 32 bits.
  constexpr std::size_t piece = std::size_t{1} << 30U;
  do {
    const std::string_view part = bytes.substr(0, piece);
    bytes.remove_prefix(part.size());
    std::string input(part);
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    const int flush = bytes.empty() ? Z_FINISH : Z_NO_FLUSH;
    do {
      stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
      stream.avail_out = static_cast<uInt>(chunk.size());
      ::deflate(&stream, flush);
      compressed.append(chunk.data(), chunk.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  } while (!bytes.empty());
  ::deflateEnd(&stream);
  return compressed;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (unsigned k = 0; k < 4; ++k) {
      text += k <= count ? digits[group >> (18 - 6 * k) & 0x3FU] : '=';
    }
  }
  return text;
}

}  // namespace lapscope::reports
