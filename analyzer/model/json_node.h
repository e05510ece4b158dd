#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

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

}  // namespace lapscope::analyzer
