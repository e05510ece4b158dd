#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "analyzer/model/harmless_text.h"

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

// The error for JSON that is not as expected. Its text is like "runs[0].trust is missing".
class JsonMismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A JSON value with its path for error messages. Functions that require a type or a member throw
// JsonMismatch.
class JsonNode {
 public:
  JsonNode(const nlohmann::ordered_json& json, std::string path)
      : json_(json), path_(std::move(path)) {}

  JsonNode at(const std::string& key) const {
    require(json_.is_object(), "is no object");
    const std::string path = path_.empty() ? key : path_ + "." + key;
    const auto found = json_.find(key);
    if (found == json_.end()) throw JsonMismatch(path + " is missing");
    return {*found, path};
  }
  JsonNode operator[](std::size_t index) const {
    require(json_.is_array() && index < json_.size(), "has too few elements");
    return {json_[index], path_ + "[" + std::to_string(index) + "]"};
  }
  bool has(const std::string& key) const { return json_.is_object() && json_.contains(key); }
  // Calls f(key, node) for every member of an object.
  template <class F>
  void members(F&& f) const {
    require(json_.is_object(), "is no object");
    for (const auto& [key, value] : json_.items()) f(key, JsonNode(value, path_ + "." + key));
  }
  // Returns the results of f(node) for every element of an array.
  template <class F>
  auto elements(F&& f) const {
    require(json_.is_array(), "is no array");
    std::vector<decltype(f(*this))> results;
    for (std::size_t i = 0; i < json_.size(); ++i) {
      results.push_back(f(JsonNode(json_[i], path_ + "[" + std::to_string(i) + "]")));
    }
    return results;
  }
  bool is_null() const { return json_.is_null(); }
  bool is_text() const { return json_.is_string(); }
  std::string text() const {
    require(json_.is_string(), "is no text");
    return json_.get<std::string>();
  }
  std::int64_t integer() const {
    require(json_.is_number_integer(), "is no whole number");
    require(!json_.is_number_unsigned() || json_.get<std::uint64_t>() <= INT64_MAX, "is too large");
    return json_.get<std::int64_t>();
  }
  bool flag() const {
    require(json_.is_boolean(), "is neither true nor false");
    return json_.get<bool>();
  }
  double number() const {
    require(json_.is_number(), "is no number");
    return json_.get<double>();
  }
  // Returns the value from `known` that has the text as its name, name_of(value). Throws
  // JsonMismatch if there is none.
  template <class T>
  T one_of(std::initializer_list<T> known) const {
    const std::string chosen = text();
    for (const T value : known) {
      if (name_of(value) == chosen) return value;
    }
    throw JsonMismatch(path_ + " is '" + chosen + "', which is not known");
  }

  // Returns the numbers of an array. Each must be an integer from 0 to INT64_MAX.
  std::vector<std::int64_t> quantities() const {
    require(json_.is_array(), "is no array");
    std::vector<std::int64_t> numbers;
    numbers.reserve(json_.size());
    for (const auto& one : json_) {
      const bool is_one = one.is_number_unsigned() && one.get<std::uint64_t>() <= INT64_MAX;
      require(is_one, "has what is no whole number from 0 on");
      numbers.push_back(one.get<std::int64_t>());
    }
    return numbers;
  }

 private:
  void require(bool holds, const char* complaint) const {
    if (!holds) throw JsonMismatch(path_ + " " + complaint);
  }

  const nlohmann::ordered_json& json_;
  std::string path_;
};

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
