#include "collector/nvtx/payload_json.h"

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExtPayload.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace lapscope::nvtx {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::span<const std::byte>;
using Entry = PayloadSchema::Entry;

constexpr int deepest = 4;  // the most levels of nested structs
constexpr std::uint64_t any_array = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE |
                                    NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED |
                                    NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_PAYLOAD_INDEX;
constexpr std::uint64_t any_offset =
    NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE | NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE;
constexpr std::uint64_t elsewhere = NVTX_PAYLOAD_ENTRY_FLAG_POINTER | any_offset;

std::optional<Bytes> part(Bytes bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) return std::nullopt;
  return bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

template <class T>
T value_of(Bytes bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

std::optional<std::uint64_t> unsigned_number(Bytes bytes) {
  switch (bytes.size()) {
    case 1:
      return value_of<std::uint8_t>(bytes);
    case 2:
      return value_of<std::uint16_t>(bytes);
    case 4:
      return value_of<std::uint32_t>(bytes);
    case 8:
      return value_of<std::uint64_t>(bytes);
    default:
      return std::nullopt;
  }
}

template <class T>
Json number_of(Bytes bytes) {
  const T value = value_of<T>(bytes);
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(value)) return {};
  }
  return value;
}

// The size of a numeric payload type, and a function that reads a value. Other types have size 0.
struct Scalar {
  std::size_t size = 0;
  Json (*read)(Bytes) = nullptr;
};

template <class T>
constexpr Scalar scalar() {
  return {sizeof(T), number_of<T>};
}

Scalar scalar_of(std::uint64_t type) {
  switch (type) {
    case NVTX_PAYLOAD_ENTRY_TYPE_CHAR:
    case NVTX_PAYLOAD_ENTRY_TYPE_INT8:
      return scalar<std::int8_t>();
    case NVTX_PAYLOAD_ENTRY_TYPE_UCHAR:
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT8:
    case NVTX_PAYLOAD_ENTRY_TYPE_CHAR8:
    case NVTX_PAYLOAD_ENTRY_TYPE_BYTE:
      return scalar<std::uint8_t>();
    case NVTX_PAYLOAD_ENTRY_TYPE_SHORT:
    case NVTX_PAYLOAD_ENTRY_TYPE_INT16:
      return scalar<std::int16_t>();
    case NVTX_PAYLOAD_ENTRY_TYPE_USHORT:
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT16:
    case NVTX_PAYLOAD_ENTRY_TYPE_CHAR16:
      return scalar<std::uint16_t>();
    case NVTX_PAYLOAD_ENTRY_TYPE_INT:
    case NVTX_PAYLOAD_ENTRY_TYPE_INT32:
      return scalar<std::int32_t>();
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT:
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT32:
    case NVTX_PAYLOAD_ENTRY_TYPE_CHAR32:
    case NVTX_PAYLOAD_ENTRY_TYPE_WCHAR:
    case NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY:
    case NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB:
    case NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT32:
    case NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT32:
      return scalar<std::uint32_t>();
    case NVTX_PAYLOAD_ENTRY_TYPE_LONG:
    case NVTX_PAYLOAD_ENTRY_TYPE_LONGLONG:
    case NVTX_PAYLOAD_ENTRY_TYPE_INT64:
      return scalar<std::int64_t>();
    case NVTX_PAYLOAD_ENTRY_TYPE_ULONG:
    case NVTX_PAYLOAD_ENTRY_TYPE_ULONGLONG:
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT64:
    case NVTX_PAYLOAD_ENTRY_TYPE_SIZE:
    case NVTX_PAYLOAD_ENTRY_TYPE_ADDRESS:
    case NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID:
    case NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT64:
    case NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT64:
      return scalar<std::uint64_t>();
    case NVTX_PAYLOAD_ENTRY_TYPE_FLOAT:
    case NVTX_PAYLOAD_ENTRY_TYPE_FLOAT32:
      return scalar<float>();
    case NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE:
    case NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64:
      return scalar<double>();
    default:
      return {};
  }
}

bool is_text(std::uint64_t type) {
  return type == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING || type == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8;
}

struct Layout {
  std::uint64_t size = 0;  // 0: not known
  std::uint64_t align = 1;
};

class Reading {
 public:
  Reading(const PayloadSchemas& schemas, const void* domain) : schemas_(schemas), domain_(domain) {}

  Json object(const PayloadSchema& schema, Bytes bytes, int depth) {
    Json read = Json::object();
    if (!schema.is_struct || depth > deepest) return read;
    std::optional<std::uint64_t> next = 0;  // end of the previous entry; nothing if unknown
    for (const Entry& entry : schema.entries) {
      const Layout layout = layout_of(entry, depth);
      const std::optional<std::uint64_t> offset = offset_of(entry, layout, schema.pack, next);
      next.reset();
      if (!offset) continue;
      if (layout.size != 0 && part(bytes, *offset, layout.size)) next = *offset + layout.size;
      if (entry.name.empty() || left_ == 0) continue;
      Json value = value_at(entry, *offset, layout, bytes, depth);
      if (value.is_null()) continue;
      if (!value.is_object()) --left_;
      read[entry.name] = std::move(value);
    }
    return read;
  }

 private:
  // Returns the offset of an entry. An entry without a registered offset follows the previous
  // entry, with the alignment that the compiler would use. Returns nothing if the end of the
  // previous entry is unknown.
  static std::optional<std::uint64_t> offset_of(const Entry& entry, const Layout& layout,
                                                std::size_t pack,
                                                std::optional<std::uint64_t> next) {
    if (entry.offset != 0) return entry.offset;
    if (!next) return std::nullopt;
    const std::uint64_t align =
        pack != 0 ? std::min<std::uint64_t>(pack, layout.align) : layout.align;
    return (*next + align - 1) / align * align;
  }

  Layout layout_of(const Entry& entry, int depth) {
    if ((entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_POINTER) != 0) return {8, 8};
    const bool is_array = (entry.flags & any_array) != 0;
    if (is_text(entry.type)) {
      if ((entry.flags & any_offset) != 0) return {8, 8};
      if (entry.detail > 0) return {entry.detail, 1};
      return is_array ? Layout{} : Layout{8, 8};  // array of unknown length, or a pointer
    }
    if ((entry.flags & any_offset) != 0) return {};
    Layout one = layout_of_type(entry.type, depth);
    if (!is_array) return one;
    if ((entry.flags & any_array) != NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE) return {};
    if (__builtin_mul_overflow(one.size, entry.detail, &one.size)) return {};
    return one;
  }

  Layout layout_of_type(std::uint64_t type, int depth) {
    if (const Scalar known = scalar_of(type); known.read) return {known.size, known.size};
    if (type == NVTX_PAYLOAD_ENTRY_TYPE_LONGDOUBLE) return {16, 16};
    const PayloadSchema* schema = look_up(type);
    if (!schema || depth > deepest) return {};
    if (schema->enum_size > sizeof(std::uint64_t)) return {};
    if (schema->enum_size != 0) return {schema->enum_size, schema->enum_size};
    if (!schema->is_struct) return {schema->size, 1};
    Layout whole;
    for (const Entry& entry : schema->entries) {
      whole.align = std::max(whole.align, layout_of(entry, depth + 1).align);
    }
    if (schema->pack != 0) whole.align = std::min<std::uint64_t>(whole.align, schema->pack);
    whole.size = schema->size;
    return whole;
  }

  Json value_at(const Entry& entry, std::uint64_t offset, const Layout& layout, Bytes bytes,
                int depth) {
    const bool is_array = (entry.flags & any_array) != 0;
    if (is_text(entry.type)) return text_at(entry, offset, bytes);
    if (is_array || (entry.flags & elsewhere) != 0 || layout.size == 0) return {};
    const std::optional<Bytes> own = part(bytes, offset, layout.size);
    if (!own) return {};
    if (const Scalar known = scalar_of(entry.type); known.read) return known.read(*own);
    const PayloadSchema* schema = look_up(entry.type);
    if (!schema) return {};
    if (schema->enum_size != 0) return enumerated(*schema, *own);
    Json inner = object(*schema, *own, depth + 1);
    return inner.empty() ? Json() : inner;
  }

  static Json enumerated(const PayloadSchema& schema, Bytes bytes) {
    const std::optional<std::uint64_t> value = unsigned_number(bytes);
    if (!value) return {};
    const std::uint64_t mask =
        bytes.size() == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes.size()) - 1;
    for (const auto& [number, name] : schema.values) {
      if ((number & mask) == *value && !name.empty()) return name;
    }
    return *value;
  }

  static Json text_at(const Entry& entry, std::uint64_t offset, Bytes bytes) {
    const std::uint64_t place = entry.flags & elsewhere;
    const std::uint64_t array = entry.flags & any_array;
    std::uint64_t longest = entry.detail > 0 ? entry.detail : bytes.size();
    if (place == NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE ||
        place == NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE) {
      const std::optional<Bytes> told = part(bytes, offset, sizeof(std::uint64_t));
      if (!told) return {};
      const std::uint64_t base =
          place == NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE ? offset + sizeof(std::uint64_t) : 0;
      if (__builtin_add_overflow(base, value_of<std::uint64_t>(*told), &offset)) return {};
      longest = bytes.size();
    } else if (place != 0 || (entry.detail == 0 && array == 0) ||
               (array != 0 && array != NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE &&
                (array != NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED || entry.detail > 0))) {
      return {};  // pointers and arrays of texts are not read
    }
    if (offset >= bytes.size()) return {};
    const Bytes rest = bytes.subspan(static_cast<std::size_t>(offset));
    const auto* first = reinterpret_cast<const char*>(rest.data());
    const auto* last = first + std::min<std::uint64_t>(longest, rest.size());
    const auto* end = std::find(first, last, '\0');
    // A text of fixed length may fill its field without a terminating zero. Any other text must end
    // with a zero.
    const bool is_whole = end != last || (entry.detail > 0 && entry.detail <= rest.size());
    return is_whole ? Json(std::string(first, end)) : Json();
  }

  // Limits the number of look-ups, because a schema may contain itself many times.
  const PayloadSchema* look_up(std::uint64_t id) {
    if (lookups_left_ == 0) return nullptr;
    --lookups_left_;
    return schemas_.find(domain_, id);
  }

  const PayloadSchemas& schemas_;
  const void* domain_;
  std::size_t lookups_left_ = 512;
  std::size_t left_ = most_payload_entries;
};

}  // namespace

std::string payload_json(const PayloadSchema& schema, std::span<const std::byte> payload,
                         const PayloadSchemas& schemas, const void* domain) {
  Json read = Reading(schemas, domain).object(schema, payload, 0);
  while (!read.empty()) {
    std::string text = read.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() <= most_payload_json) return text;
    read.erase(std::prev(read.end()));
  }
  return {};
}

}  // namespace lapscope::nvtx
