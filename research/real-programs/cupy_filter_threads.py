"""Filters a series of images in the frequency domain, and adds each up in another thread, as lapscope advises for
cupy_filter.py (host-compute)."""
import time
from concurrent.futures import ThreadPoolExecutor

import cupy as cp
import numpy as np

images = [np.random.default_rng(i).standard_normal((2048, 2048), dtype=np.float32) for i in range(24)]
y, x = cp.ogrid[:2048, :1025]
mask = cp.exp(-(y * y + x * x) / 1e5).astype(cp.float32)


def smooth(image):
    return cp.asnumpy(cp.fft.irfft2(cp.fft.rfft2(cp.asarray(image)) * mask).astype(cp.float32))


for image in images[:4]:  # plans and kernels are made here
    smooth(image)
with cp.cuda.profile():
    begin = time.perf_counter()
    with ThreadPoolExecutor(4) as others:
        parts = [others.submit(np.sum, smooth(image)) for image in images]
        total = sum(float(part.result()) for part in parts)
    elapsed = 1e3 * (time.perf_counter() - begin)
print(f"sum {total:.3f}")
print(f"measured {elapsed:.3f} ms")
