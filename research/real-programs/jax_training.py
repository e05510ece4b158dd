"""Fits a multi-layer perceptron with one jitted step for each batch, as in JAX's first examples."""
import jax
import jax.numpy as jnp
import numpy as np

sizes = [1024, 4096, 4096, 10]
keys = jax.random.split(jax.random.PRNGKey(0), len(sizes))
params = [(jax.random.normal(k, (m, n)) * 0.01, jnp.zeros(n)) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def loss(params, x, y):
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(x @ w + b) * y, axis=1))


@jax.jit
def update(params, x, y):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    return value, [(w - 0.01 * dw, b - 0.01 * db) for (w, b), (dw, db) in zip(params, grads)]


rng = np.random.default_rng(0)
batches = [(rng.standard_normal((512, 1024), dtype=np.float32), np.eye(10, dtype=np.float32)[rng.integers(0, 10, 512)])
           for _ in range(40)]
for epoch in range(2):
    for x, y in batches:
        value, params = update(params, x, y)
    print(f"epoch {epoch} loss {float(value):.6f}")
