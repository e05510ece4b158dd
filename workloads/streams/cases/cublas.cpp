// A cuBLAS handle without a stream.

#include <memory>
#include <vector>

#include "workloads/harness/blas.h"
#include "workloads/harness/handles.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/pipeline_case.h"
#include "workloads/streams/suite/planted.h"

namespace lapscope::workloads::streams {
namespace {

constexpr int rows = 256;
constexpr std::size_t entries = std::size_t{rows} * rows;

// The entries are small integers. Sums of their products are exact in any order.
float entry(std::size_t i) { return static_cast<float>(i % 7); }

// The step of a tile is a matrix product. It multiplies a common matrix by 2 * I, so the tile's
// matrix becomes twice the common matrix. Each lane has its own handle, because only one stream at
// a time may use the workspace of a handle.
class Products {
 public:
  Products(const Shape& shape, std::size_t lanes)
      : twice_(entries), common_(entries), products_(entries * shape_tiles(shape)) {
    std::vector<float> host(entries, 0.0F);
    for (std::size_t i = 0; i < rows; ++i) host[i * rows + i] = 2;
    upload(twice_, host);
    for (std::size_t i = 0; i < entries; ++i) host[i] = entry(i);
    upload(common_, host);
    for (std::size_t i = 0; i < lanes; ++i) handles_.push_back(blas_.create());
  }
  Products(const Products&) = delete;
  Products& operator=(const Products&) = delete;
  ~Products() {
    for (const Blas::Handle handle : handles_) blas_.destroy(handle);
  }

  // Sets the stream of a handle. By default, a handle uses the legacy default stream.
  void use(std::size_t lane, cudaStream_t stream) const { blas_.use(handles_[lane], stream); }

  void multiply(const TileJob& job) const {
    blas_.multiply(handles_[job.lane], rows, rows, rows, twice_.data(), common_.data(),
                   products_.data() + job.tile * entries);
  }

  void verify(std::size_t tiles) const {
    std::vector<float> found(entries * tiles);
    check(cudaMemcpy(found.data(), products_.data(), found.size() * sizeof(float),
                     cudaMemcpyDeviceToHost),
          "copy the products to the host");
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i] == 2 * entry(i % entries)) continue;
      throw std::runtime_error("wrong result: entry " + std::to_string(i) + " of the products is " +
                               std::to_string(found[i]));
    }
  }
  void clear(std::size_t tiles) const {
    check(cudaMemset(products_.data(), 0, entries * tiles * sizeof(float)), "clear the products");
    check(cudaDeviceSynchronize(), "wait for the products to be cleared");
  }

 private:
  static std::size_t shape_tiles(const Shape& shape) {
    return static_cast<std::size_t>(shape.tiles);
  }
  static void upload(const DeviceBuffer<float>& to, const std::vector<float>& from) {
    check(cudaMemcpy(to.data(), from.data(), from.size() * sizeof(float), cudaMemcpyHostToDevice),
          "copy a matrix to the device");
  }

  Blas blas_;
  DeviceBuffer<float> twice_;
  DeviceBuffer<float> common_;
  DeviceBuffer<float> products_;
  std::vector<Blas::Handle> handles_;
};

}  // namespace

std::vector<Case> cublas_cases() {
  Case result = pipeline_pair(
      {.name = "cublas-default-stream",
       .wrong = "cuBLAS was not given a stream, so that its kernels run in the legacy default "
                "stream.",
       .fix = "Call cublasSetStream with the stream of the tile."},
      Cause::default_stream_barrier, serial, [](Recipe& recipe, const Setting& setting) {
        recipe.kind = StreamKind::blocking;
        const auto tiles = static_cast<std::size_t>(setting.shape.tiles);
        const auto products =
            std::make_shared<Products>(setting.shape, static_cast<std::size_t>(recipe.streams));
        recipe.step = [=, broken = setting.broken()](const TileJob& job) {
          if (!broken) products->use(job.lane, job.stream);
          PLANTED("cublas-default-stream", products->multiply(job));
        };
        recipe.verify = [=] { products->verify(tiles); };
        recipe.clear = [=] { products->clear(tiles); };
      });
  result.needs.libraries = {"cuBLAS"};
  result.needs.device_bytes_per_tile = entries * sizeof(float);
  return {result};
}

}  // namespace lapscope::workloads::streams
