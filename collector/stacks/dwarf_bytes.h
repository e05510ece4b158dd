#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lapscope::stacks {

// Reads values from bytes that lie at `address` in the process. A read past the end of the bytes
// returns 0. From then on, has_failed() is true.
class Bytes {
 public:
  Bytes(const std::byte* data, std::size_t size, std::uintptr_t address)
      : data_(data), size_(size), address_(address) {}

  bool has_failed() const { return failed_; }
  bool is_at_end() const { return failed_ || at_ >= size_; }
  std::uintptr_t address() const { return address_ + at_; }
  void skip(std::uint64_t count) {
    if (count > size_ - at_) {
      failed_ = true;
      at_ = size_;
    } else {
      at_ += static_cast<std::size_t>(count);
    }
  }
  void end_after(std::uint64_t count) {
    if (count < size_ - at_) size_ = at_ + static_cast<std::size_t>(count);
  }

  template <class T>
  T get() {
    T value{};
    if (sizeof value > size_ - at_) {
      skip(size_);
      failed_ = true;
      return value;
    }
    std::memcpy(&value, data_ + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::uint8_t byte() { return get<std::uint8_t>(); }
  std::uint64_t uleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t next = byte();
      if (shift < 64) value |= static_cast<std::uint64_t>(next & 0x7fU) << shift;
      if ((next & 0x80U) == 0 || failed_) return value;
    }
  }
  std::int64_t sleb() {
    std::uint64_t value = 0;
    unsigned shift = 0;
    std::uint8_t next = 0;
    do {
      next = byte();
      if (shift < 64) value |= static_cast<std::uint64_t>(next & 0x7fU) << shift;
      shift += 7;
    } while ((next & 0x80U) != 0 && !failed_);
    if (shift < 64 && (next & 0x40U) != 0) value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
  }

  // Reads a pointer in an encoding of .eh_frame (DW_EH_PE_…). The pointer is absolute or relative
  // to its own address. .eh_frame uses no other base.
  std::uint64_t pointer(std::uint8_t encoding) {
    const std::uintptr_t place = address();
    std::uint64_t value = 0;
    switch (encoding & 0x0fU) {
      case 0x00:
      case 0x04:
      case 0x0c:
        value = get<std::uint64_t>();
        break;
      case 0x01:
        value = uleb();
        break;
      case 0x02:
        value = get<std::uint16_t>();
        break;
      case 0x03:
        value = get<std::uint32_t>();
        break;
      case 0x09:
        value = static_cast<std::uint64_t>(sleb());
        break;
      case 0x0a:
        value = static_cast<std::uint64_t>(std::int64_t{get<std::int16_t>()});
        break;
      case 0x0b:
        value = static_cast<std::uint64_t>(std::int64_t{get<std::int32_t>()});
        break;
      default:
        failed_ = true;
    }
    switch (encoding & 0x70U) {
      case 0x00:
        return value;
      case 0x10:
        return value + place;
      default:
        failed_ = true;
        return 0;
    }
  }

 private:
  const std::byte* data_;
  std::size_t size_;
  std::uintptr_t address_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace lapscope::stacks
