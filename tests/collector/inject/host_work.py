"""Calls the fake libcupti between host work of known lengths: two functions with 30 % and 70 %, a lock, a sleep, a
pipe, garbage collections, native code."""
import ctypes
import gc
import os
import threading
import time
import zlib

ctypes.CDLL(os.environ["CUDA_INJECTION64_PATH"]).InitializeInjection()
cupti = ctypes.CDLL(os.environ["LAPSCOPE_CUPTI"])
arguments = (ctypes.c_uint64 * 8)()


def call_cuda():
    cupti.fake_cupti_call(b"cudaDeviceSynchronize_v3020", arguments)


def spin(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def short_work():
    spin(0.03)


def long_work():
    spin(0.07)


def wait_for_lock():
    with lock:
        pass


def hold(seconds):
    with lock:
        held.set()
        time.sleep(seconds)


def collect():
    end = time.perf_counter() + 0.3
    while time.perf_counter() < end:
        gc.collect()


def compress():
    end = time.perf_counter() + 0.5
    while time.perf_counter() < end:
        zlib.compress(bytes_to_compress, 9)


def read_pipe():
    os.read(pipe, 1)


cupti.fake_cupti_work(1)
for _ in range(10):
    call_cuda()
    short_work()
    call_cuda()
    long_work()
call_cuda()
time.sleep(0.3)
lock, held = threading.Lock(), threading.Event()
thread = threading.Thread(target=hold, args=(0.3,))
thread.start()
held.wait()
call_cuda()
wait_for_lock()
call_cuda()
thread.join()
pipe, writes = os.pipe()
threading.Timer(0.3, os.write, (writes, b"x")).start()
read_pipe()
call_cuda()
kept = [[[] for _ in range(10)] for _ in range(50000)]
call_cuda()
collect()
call_cuda()
bytes_to_compress = bytes(i * i % 251 for i in range(300000))
call_cuda()
compress()
call_cuda()
