"""JAX: each step reads the loss. Fixed: the loss is read once, after all steps."""
import os

import measured

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
args = measured.options()
jax = measured.framework("jax")
import jax.numpy as jnp  # noqa: E402

if jax.default_backend() != "gpu":
    measured.sys.exit(77)


@jax.jit
def step(weight, batch):
    def loss_of(weight):
        return jnp.mean((jnp.tanh(batch @ weight) @ weight.T - batch) ** 2)

    loss, gradient = jax.value_and_grad(loss_of)(weight)
    return weight - 0.1 * gradient, loss


weight = jnp.linspace(-0.05, 0.05, 1024 * 1024, dtype=jnp.float32).reshape(1024, 1024)
rows = 8192 if args.large else 256
batches = [jnp.sin(jnp.arange(rows * 1024, dtype=jnp.float32) + i).reshape(rows, 1024) for i in range(4)]


def loop():
    now, losses = weight, []
    for i in range(40):
        now, loss = step(now, batches[i % 4])
        losses.append(loss if args.fixed else float(loss))
    return sum(float(loss) for loss in losses[-1:])


measured.run(loop, lambda: None, args)  # The loop ends with a loss on the host.
