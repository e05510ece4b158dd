#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "analyzer/model/harmless_text.h"
#include "analyzer/model/json_node.h"

// Reads and writes structs as JSON objects. One function describes both:
//
//   void fields(JsonIo& io, EventSummary& event) {
//     io("start_ns", event.start);
//     io("name", event.name, kept_text);  // kept_text() reads the value
//     io.added("end_ns", event.end);      // files of older versions lack the key
//   }
//
// fields() must stand in the namespace of its struct. It must not change the struct when it writes.
namespace lapscope::analyzer {

// Returns the value of a node. Throws JsonMismatch if the node does not have such a value.
template <class T>
T read_json(const JsonNode& node);

template <class T>
nlohmann::ordered_json written_json(const T& value);

// Returns the name of a kernel or of another thing of the program. Such names can be very long.
inline std::string kept_text(const JsonNode& node) { return kept_name(node.text()); }

// An object that is read or written.
class JsonIo {
  using Json = nlohmann::ordered_json;

 public:
  explicit JsonIo(JsonNode from) : from_(std::move(from)) {}
  explicit JsonIo(Json& to) : to_(&to) {}

  // `read` returns the value of a node, `write` returns the JSON of a value.
  template <class T, class Read = T (*)(const JsonNode&), class Write = Json (*)(const T&)>
  void operator()(const char* key, T& value, const Read& read = read_json<T>,
                  const Write& write = written_json<T>) {
    if (from_) {
      value = read(from_->at(key));
    } else {
      (*to_)[key] = write(value);
    }
  }
  // Reads or writes a value as its name, name_of(value). When reading, accepts only the names of
  // the values in `known`.
  template <class T>
  void one_of(const char* key, T& value, std::initializer_list<T> known) {
    (*this)(
        key, value, [&known](const JsonNode& node) { return node.one_of(known); },
        [](T chosen) { return name_of(chosen); });
  }
  // Reads or writes a key that files of older versions lack. If the file lacks the key, keeps the
  // value.
  template <class... T>
  void added(const char* key, T&&... value) {
    if (has(key, true)) (*this)(key, value...);
  }
  // When reading, returns whether the file has the key. When writing, returns `is_set`.
  bool has(const char* key, bool is_set) const { return from_ ? from_->has(key) : is_set; }
  // Returns the object of a key. When writing, do not use the result after another key was added to
  // this object.
  JsonIo object(const char* key) {
    return from_ ? JsonIo(from_->at(key)) : JsonIo((*to_)[key] = Json::object());
  }

 private:
  std::optional<JsonNode> from_;
  Json* to_ = nullptr;
};

template <class T>
T read_json(const JsonNode& node) {
  if constexpr (std::is_same_v<T, std::string>) {
    return node.text();
  } else if constexpr (std::is_same_v<T, bool>) {
    return node.flag();
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return node.integer();
  } else if constexpr (std::is_same_v<T, double>) {
    return node.number();
  } else if constexpr (requires(T optional) { optional.has_value(); }) {
    if (node.is_null()) return std::nullopt;
    return read_json<typename T::value_type>(node);
  } else if constexpr (requires { typename T::mapped_type; }) {
    T values;
    node.members([&values](const std::string& key, const JsonNode& value) {
      values.emplace(key, read_json<typename T::mapped_type>(value));
    });
    return values;
  } else if constexpr (requires(T list) { list.push_back({}); }) {
    return node.elements(read_json<typename T::value_type>);
  } else {
    T value;
    JsonIo io(node);
    fields(io, value);
    return value;
  }
}

template <class T>
nlohmann::ordered_json written_json(const T& value) {
  using Json = nlohmann::ordered_json;
  if constexpr (std::is_constructible_v<Json, const T&>) {
    return value;
  } else if constexpr (requires { value.has_value(); }) {
    return value ? written_json(*value) : Json();
  } else if constexpr (requires { value.begin(); }) {
    Json list = Json::array();
    for (const auto& one : value) list.push_back(written_json(one));
    return list;
  } else {
    Json json = Json::object();
    JsonIo io(json);
    fields(io, const_cast<T&>(value));
    return json;
  }
}

}  // namespace lapscope::analyzer
