"""Jacobi sweeps on a square plate until they settle. Planted: the residual is read back with float() after each sweep.
Fixed: the residuals stay on the GPU, and 50 at a time are read."""
import sys

import measured

args = measured.options()
cupy = measured.framework("cupy")
SIDE, SWEEPS, BLOCK, TOLERANCE = 2048, 200, 50, 1e-7

start = cupy.zeros((SIDE, SIDE), dtype=cupy.float32)
start[0] = 1.0
start[:, 0] = 0.5
history = []


def sweep(old, new):
    new[1:-1, 1:-1] = 0.25 * (old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:])
    return cupy.abs(new - old).max()


def settled(residuals):
    history.extend(residuals)
    return residuals[-1] < TOLERANCE


def loop():
    history.clear()
    old, new = start.copy(), start.copy()
    kept = cupy.zeros(SWEEPS, dtype=cupy.float32)
    for index in range(SWEEPS):
        residual = sweep(old, new)
        old, new = new, old
        if not args.fixed:
            if settled([float(residual)]):
                break
            continue
        kept[index] = residual
        if (index + 1) % BLOCK == 0 and settled(kept[index + 1 - BLOCK:index + 1].tolist()):
            break


measured.run(loop, cupy.cuda.Device().synchronize, args)
print(f"check: {len(history)} {sum(history):.5f}", file=sys.stderr)
