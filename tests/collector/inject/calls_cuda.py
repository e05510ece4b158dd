"""Calls the fake libcupti from Python without the interpreter's lock, as a framework's bindings call CUDA."""
import ctypes
import os
import threading

ctypes.CDLL(os.environ["CUDA_INJECTION64_PATH"]).InitializeInjection()
cupti = ctypes.CDLL(os.environ["LAPSCOPE_CUPTI"])
arguments = (ctypes.c_uint64 * 8)()


def synchronize():
    cupti.fake_cupti_call(b"cudaDeviceSynchronize_v3020", arguments)  # line "synchronize"


class Model:
    def step(self):
        synchronize()  # line "step"


cupti.fake_cupti_work(1)
Model().step()  # line "main"
thread = threading.Thread(target=Model().step)
thread.start()
thread.join()
