"""CuPy: the legacy default stream has some work between the work of four streams. Fixed: a separate stream has this work."""
import measured

args = measured.options()
cupy = measured.framework("cupy")
streams = [cupy.cuda.Stream() for _ in range(4)]
own = cupy.cuda.Stream(non_blocking=True) if args.fixed else cupy.cuda.Stream.null
data = [cupy.random.RandomState(i).standard_normal((512, 512), dtype=cupy.float32) for i in range(4)]
small = cupy.zeros(4096, dtype=cupy.float32)


def loop():
    for _ in range(20):
        for i, stream in enumerate(streams):
            with stream:
                values = data[i]
                for _ in range(3):
                    values = cupy.sort(values, axis=1)
            with own:
                cupy.sin(small, out=small)


measured.run(loop, cupy.cuda.Device().synchronize, args)
