"""Fits a two-layer net by gradient descent and keeps each step's errors. Planted: np.asarray() of the errors in each
step, so the CPU waits before it dispatches the next step. Fixed: the errors are fetched after the last step."""
import os
import sys

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
import measured  # noqa: E402

args = measured.options()
jax = measured.framework("jax")
import numpy as np  # noqa: E402

jnp = jax.numpy
if jax.default_backend() != "gpu":
    sys.stderr.write("JAX sees no GPU\n")
    sys.exit(77)
ROWS, INPUTS, HIDDEN, STEPS = 4096, 1024, 2048, 60

key = jax.random.split(jax.random.key(0), 4)
x = jax.random.normal(key[0], (ROWS, INPUTS))
y = jax.random.normal(key[1], (ROWS,))
first = {"in": jax.random.normal(key[2], (INPUTS, HIDDEN)) * INPUTS ** -0.5,
         "out": jax.random.normal(key[3], (HIDDEN,)) * HIDDEN ** -0.5}
final = None


def objective(weights, x, y):
    errors = jnp.tanh(x @ weights["in"]) @ weights["out"] - y
    return jnp.mean(errors ** 2), errors


@jax.jit
def step(weights, x, y):
    (_, errors), slopes = jax.value_and_grad(objective, has_aux=True)(weights, x, y)
    return jax.tree_util.tree_map(lambda w, slope: w - 0.05 * slope, weights, slopes), errors


def loop():
    global final
    weights, history = first, []
    for _ in range(STEPS):
        weights, errors = step(weights, x, y)
        history.append(errors if args.fixed else np.asarray(errors))
    history = jax.device_get(history)
    final = (weights, float(np.mean(history[-1] ** 2)))


measured.run(loop, lambda: jax.block_until_ready(final[0]), args)
print(f"check: {final[1]:.4f}", file=sys.stderr)
