"""Moves 65536 damped oscillators in 400 small steps. Planted: a step is a dozen small array expressions, and each is a
kernel of a few microseconds. Fixed: an ElementwiseKernel does a step in one kernel."""
import sys

import measured

args = measured.options()
cupy = measured.framework("cupy")
COUNT, STEPS, DT = 65536, 400, 0.01

first_place = cupy.linspace(-2.0, 2.0, COUNT, dtype=cupy.float32)
first_speed = cupy.zeros(COUNT, dtype=cupy.float32)
place = speed = None

fused = cupy.ElementwiseKernel(
    "float32 x, float32 v, float32 dt", "float32 moved, float32 faster",
    """
    float a = -4.0f * x - 0.5f * x * x * x - 0.1f * v;
    faster = v + dt * a;
    moved = x + dt * faster;
    """, "move_oscillators")


def unfused(x, v, dt):
    a = -4.0 * x - 0.5 * x * x * x - 0.1 * v
    faster = v + dt * a
    return x + dt * faster, faster


def loop():
    global place, speed
    place, speed = first_place, first_speed
    step = fused if args.fixed else unfused
    for _ in range(STEPS):
        place, speed = step(place, speed, DT)


measured.run(loop, cupy.cuda.Device().synchronize, args)
print(f"check: {float(cupy.abs(place).mean()):.4f} {float(cupy.abs(speed).mean()):.4f}", file=sys.stderr)
