#include <cstdlib>

// Replaces libcuda.so.1 on machines without a GPU. cuInit returns $FAKE_CUDA_ERROR if it is set.
extern "C" {

int cuDriverGetVersion(int* version) {
  *version = 13000;
  return 0;
}

int cuInit(unsigned) {
  const char* const error = std::getenv("FAKE_CUDA_ERROR");
  // With this variable, the real driver would load a library.
  if (std::getenv("CUDA_INJECTION64_PATH") != nullptr) std::abort();
  return error == nullptr ? 0 : std::atoi(error);
}

int cuGetErrorName(int error, const char** text) {
  if (error == 100) *text = "CUDA_ERROR_NO_DEVICE";
  return error == 100 ? 0 : 1;
}

int cuGetErrorString(int error, const char** text) {
  if (error == 100) *text = "no CUDA-capable device is detected";
  return error == 100 ? 0 : 1;
}
}
