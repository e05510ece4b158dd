"""JAX: each step gets an array of NumPy, which is copied to the device again. Fixed: the arrays are on the device before."""
import os

import measured

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
args = measured.options()
jax = measured.framework("jax")
import jax.numpy as jnp  # noqa: E402
import numpy  # noqa: E402

if jax.default_backend() != "gpu":
    measured.sys.exit(77)


@jax.jit
def step(state, batch):
    return jnp.tanh(state + batch @ state.T @ batch / 1024)


state = jnp.ones((2048, 1024), dtype=jnp.float32) / 1024
batches = [numpy.random.default_rng(i).standard_normal((2048, 1024), dtype=numpy.float32) for i in range(4)]
if args.fixed:
    batches = [jax.device_put(batch) for batch in batches]


def loop():
    now = state
    for i in range(16):
        now = step(now, batches[i % 4])
    now.block_until_ready()


measured.run(loop, lambda: None, args)  # The loop waits for its last step.
