#pragma once

#include <dlfcn.h>

#include <string>

// Libraries with functions that call a callback, each with another kind of stack frame.
namespace lapscope::test {

using Callback = void (*)(void* argument);
using CallInShape = void (*)(int shape, Callback callback, void* argument);
inline constexpr const char* call_in_shape_name = "call_in_shape";
inline constexpr int shape_count = 8;

// If the program exports a function with this name, the library's constructor calls it.
inline constexpr const char* in_constructor_name = "lapscope_in_constructor_of_shapes";

// Loads a library. The destructor unloads it.
class Shapes {
 public:
  explicit Shapes(const std::string& path) : handle_(::dlopen(path.c_str(), RTLD_NOW)) {
    if (!handle_) return;
    call_ = reinterpret_cast<CallInShape>(::dlsym(handle_, call_in_shape_name));
  }
  ~Shapes() {
    if (handle_) ::dlclose(handle_);
  }
  Shapes(const Shapes&) = delete;
  Shapes& operator=(const Shapes&) = delete;

  bool is_loaded() const { return call_ != nullptr; }
  const void* address() const { return reinterpret_cast<const void*>(call_); }
  template <class Function>
  void call(int shape, Function&& function) const {
    call_(
        shape, [](void* argument) { (*static_cast<std::decay_t<Function>*>(argument))(); },
        &function);
  }

 private:
  void* handle_;
  CallInShape call_ = nullptr;
};

}  // namespace lapscope::test
