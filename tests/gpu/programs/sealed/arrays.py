#!/usr/bin/env python3
"""Programs like those that people write with CuPy and JAX, for judging lapscope: arrays.py NAME VARIANT [--repeat N].

See measuring.py; planted.json tells what is wrong.
"""
import os

import numpy

import measuring
from measuring import Program


def kmeans_masks(cupy, broken):
    """Points are grouped around 16 centres, which move into the middle of their groups."""
    count, width, groups, rounds = 200_000, 16, 16, 5
    random = numpy.random.default_rng(1)
    middles = 4 * random.standard_normal((groups, width)).astype(numpy.float32)
    near = random.standard_normal((count, width)).astype(numpy.float32)
    points = cupy.asarray(middles[numpy.arange(count) % groups] + near)
    first = cupy.asarray(middles + 0.5 * random.standard_normal((groups, width)).astype(numpy.float32))
    numbers = cupy.arange(groups)
    result = [first]

    def work():
        centres = first.copy()
        for _ in range(rounds):
            apart = (centres * centres).sum(axis=1) - 2 * (points @ centres.T)
            labels = apart.argmin(axis=1)
            if broken:
                for group in range(groups):
                    own = points[labels == group]
                    if len(own) > 0:
                        centres[group] = own.mean(axis=0)
            else:
                belongs = (labels[:, None] == numbers).astype(cupy.float32)
                sizes = belongs.sum(axis=0)[:, None]
                centres = cupy.where(sizes > 0, (belongs.T @ points) / cupy.maximum(sizes, 1), centres)
        result[0] = centres

    return Program(work, lambda: float(cupy.abs(result[0]).sum()))


def filterbank_chunks(cupy, broken):
    """Pieces of a recording go up and are turned into loudness by frequency bands."""
    channels, samples, chunks, kept = 64, 1 << 16, 12, 4
    shape = (channels, samples)
    random = numpy.random.default_rng(2)
    if broken:
        pieces = [random.standard_normal(shape, dtype=numpy.float32) for _ in range(kept)]
    else:
        import cupyx
        pieces = [cupyx.empty_pinned(shape, dtype=numpy.float32) for _ in range(kept)]
        for piece in pieces:
            piece[:] = random.standard_normal(shape, dtype=numpy.float32)
    waves = cupy.cos(cupy.pi / 256 * (cupy.arange(256)[:, None] + 0.5) * cupy.arange(256)).astype(cupy.float32)
    bands = cupy.maximum(0, 1 - cupy.abs(cupy.arange(256)[:, None] - 4 * cupy.arange(64)) / 8).astype(cupy.float32)
    compute = cupy.cuda.Stream(non_blocking=True)
    copies = cupy.cuda.Stream(non_blocking=True)
    here = [cupy.empty(shape, dtype=cupy.float32) for _ in range(2)]
    arrived = [cupy.cuda.Event(disable_timing=True) for _ in range(2)]
    used = [cupy.cuda.Event(disable_timing=True) for _ in range(2)]
    loudness = cupy.zeros((chunks, 64), dtype=cupy.float32)
    cupy.cuda.Device().synchronize()

    def fetch(chunk):
        slot = chunk % 2
        copies.wait_event(used[slot])
        here[slot].set(pieces[chunk % kept], stream=copies)
        arrived[slot].record(copies)

    def loud(piece):
        spectrum = piece.reshape(-1, 256) @ waves
        return cupy.log1p((spectrum * spectrum) @ bands).mean(axis=0)

    def work():
        with compute:
            if not broken:
                fetch(0)
            for chunk in range(chunks):
                if broken:
                    here[0].set(pieces[chunk % kept], stream=compute)
                    loudness[chunk] = loud(here[0])
                    continue
                if chunk + 1 < chunks:
                    fetch(chunk + 1)
                compute.wait_event(arrived[chunk % 2])
                loudness[chunk] = loud(here[chunk % 2])
                used[chunk % 2].record(compute)
            compute.synchronize()

    return Program(work, lambda: float(loudness.sum(dtype=cupy.float64)))


def no_pool(cupy, broken):
    """Photographs of stars are cleaned of their background."""
    if broken:
        cupy.cuda.set_allocator(None)  # So that other programs get the memory at once.
    frames, side = 10, 2048
    random = cupy.random.RandomState(3)
    photos = [random.standard_normal((side, side), dtype=cupy.float32) for _ in range(5)]
    result = cupy.zeros(frames, dtype=cupy.float32)

    def work():
        for frame in range(frames):
            photo = photos[frame % 5]
            level = (photo + cupy.roll(photo, 16, axis=0) + cupy.roll(photo, 16, axis=1)) / 3
            clean = photo - level
            noise = cupy.sqrt((clean * clean).mean())
            stars = cupy.where(clean > 2 * noise, clean, 0)
            result[frame] = (stars * stars).sum() / (1 + (stars > 0).sum())

    return Program(work, lambda: float(result.sum(dtype=cupy.float64)))


def before_jax(broken):
    del broken
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"


def eager_filter(jax, broken):
    """The paths of 20,000 aircraft are followed with a Kalman filter."""
    jnp = jax.numpy
    count, steps = 20_000, 40
    random = numpy.random.default_rng(4)
    seen = jax.device_put(random.standard_normal((steps, count), dtype=numpy.float32))
    seen_at = [seen[step] for step in range(steps)]

    def follow(place, speed, spread, common, drift, value):
        place = place + 0.1 * speed
        spread = spread + 0.2 * common + 0.01 * drift + 0.001
        common = common + 0.1 * drift
        drift = drift + 0.001
        gain = spread / (spread + 0.5)
        turn = common / (spread + 0.5)
        apart = value - place
        return (place + gain * apart, speed + turn * apart, (1 - gain) * spread, (1 - gain) * common,
                drift - turn * common)

    step_of = follow if broken else jax.jit(follow)
    zeros = jnp.zeros(count, dtype=jnp.float32)
    start = (zeros, zeros, zeros + 1, zeros, zeros + 1)
    result = [start]

    def work():
        state = start
        for value in seen_at:
            state = step_of(*state, value)
        result[0] = jax.block_until_ready(state)

    return Program(work, lambda: sum(float(jnp.abs(each).sum()) for each in result[0]))


def cupy_has_gpu(cupy):
    try:
        return cupy.cuda.runtime.getDeviceCount() > 0
    except cupy.cuda.runtime.CUDARuntimeError:
        return False


def jax_has_gpu(jax):
    try:
        return jax.default_backend() == "gpu"
    except RuntimeError:
        return False


PROGRAMS = {"kmeans-masks": ("cupy", kmeans_masks),
            "filterbank-chunks": ("cupy", filterbank_chunks),
            "no-pool": ("cupy", no_pool),
            "eager-filter": ("jax", eager_filter, before_jax)}

if __name__ == "__main__":
    measuring.run(PROGRAMS, {
        "cupy": (cupy_has_gpu, lambda cupy: cupy.cuda.Device().synchronize()),
        # The work of a program ends with waiting for its results.
        "jax": (jax_has_gpu, lambda jax: jax.block_until_ready(jax.numpy.zeros(1) + 1))})
