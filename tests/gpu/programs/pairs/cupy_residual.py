"""CuPy: a solver reads its residual after every iteration. Fixed: after every tenth iteration."""
import measured

args = measured.options()
cupy = measured.framework("cupy")
size = 16384 if args.large else 8192
matrix = (cupy.arange(size * size, dtype=cupy.float32) % 97).reshape(size, size) / (97 * size)
matrix += 2 * cupy.eye(size, dtype=cupy.float32)
right = cupy.ones(size, dtype=cupy.float32)
every = 10 if args.fixed else 1


def loop():
    guess = cupy.zeros(size, dtype=cupy.float32)
    residual = right
    for i in range(40):
        guess += 0.3 * residual
        residual = right - matrix @ guess
        worst = cupy.abs(residual).max()
        if i % every == every - 1 and float(worst) < 0:
            break


measured.run(loop, lambda: cupy.cuda.Device().synchronize(), args)
