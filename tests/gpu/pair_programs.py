"""The pairs that record_pairs.py records, by program, with the planted cause of each."""

CAUSES = {  # pairs of cause_pairs, with their planted causes
    "small-copies": "small-copies",
    "one-graph-four-streams": "graph-exec-reuse",
    "two-graphs-one-stream": "stream-order",
    "lock-around-waits": "lock",
    "managed-memory": "managed-memory",
}
THREADS = {  # pairs of thread_pairs
    "lock-in-a-pool": "lock",
    "lock-of-one-queue": "lock",
    "results-by-a-thread": "host-sync",
}
INPUTS = [f"inputs-{form}" for form in  # pairs of input_pairs; the cause is stream-order
          ("even", "copies", "compute", "memory", "labels", "loss", "graph", "small", "tiny")]
OUTPUTS = [f"outputs-{form}" for form in  # pairs of output_pairs
           ("even", "copies", "compute", "memory", "parts", "graph", "small", "tiny", "loss")]
# Pairs of last_waves: a kernel and a form of launching it. The form determines the cause (PLANTED_IN_FORM). The last
# wave of most kernels leaves multiprocessors idle. "packed" and "memory" reach full throughput with fewer blocks, too.
LAST_WAVES = [
    *(f"resident-{waves}-{form}" for waves in ("1.25", "1.5", "1.9", "2.5") for form in ("waits", "tiles")),
    *(f"product-{rows}-{form}" for rows in ("640", "1152", "2048", "3072") for form in ("waits", "tiles")),
    "packed-1.5-waits", "packed-2.25-waits", "packed-1.5-tiles", "memory-1.5-waits", "resident-1.5-small",
    "product-1152-small",
]
INDEPENDENT = {  # pairs of independent_pairs; controls have "none"
    "heat-residual": "host-sync",
    "spmv-and-histogram": "stream-order",
    "batched-matmul-scratch": "alloc-free",
    "video-filter": "pageable-copy",
    "pi-estimator": "host-sync",
    "spectrum-consumer": "event-wait",
    "sort-service": "stream-order",
    "gemm-service": "lock",
    "texture-entropy": "default-stream-barrier",
    "radix-sort-chain": "launch-overhead",
    "frame-checksum": "host-func",
    "search-with-background": "host-sync",
    "slab-upload": "event-wait",
    "control-shuffle-between": "none",
    "control-two-jobs-one-stream": "none",
    "control-graph-pipeline": "none",
}
PLANTED_IN_FORM = {"waits": "host-sync", "small": "host-sync", "tiles": "stream-order"}
# Programs with the options NAME VARIANT REPEATS: the group, the program, and its pairs with planted causes.
PROGRAMS = [
    ("causes", "cause_pairs", CAUSES),
    ("threads", "thread_pairs", THREADS),
    ("inputs", "input_pairs", dict.fromkeys(INPUTS, "stream-order")),
    ("outputs", "output_pairs", dict.fromkeys(OUTPUTS, "stream-order")),
    ("last-waves", "last_waves", {name: PLANTED_IN_FORM[name.rpartition("-")[2]] for name in LAST_WAVES}),
    ("independent", "independent_pairs", INDEPENDENT),
]
# A case, the variant that fixes the planted cause, the shares of the GPU, and the cause. Each is recorded with all
# kernels.
SUITE = [
    ("sync-stream", "fixed", "half", "host-sync"),
    ("pipeline", "stream-per-buffer", "each", "stream-order"),
    ("default-stream-kernel", "fixed", "half", "default-stream-barrier"),
    ("sync-device", "fixed", "quarter", "host-sync"),
    ("sync-event", "fixed", "all", "host-sync"),
]
BOUNDS = ("copies", "compute")
FRAMEWORKS = [  # the program with options, its framework, the cause, and the GPUs that it needs
    ("read_loss", "torch", "host-sync", 1),
    ("read_loss --large", "torch", "host-sync", 1),
    ("small_ops", "torch", "launch-overhead", 1),
    ("independent_graphs", "torch", "stream-order", 1),
    ("pageable_batches", "torch", "pageable-copy", 1),
    ("no_prefetch", "torch", "stream-order", 1),
    ("boolean_masks", "torch", "host-sync", 1),
    ("boolean_masks --large", "torch", "host-sync", 1),
    ("empty_cache", "torch", "alloc-free", 1),
    ("numpy_in_loop", "torch", "host-compute", 1),
    ("cupy_residual", "cupy", "host-sync", 1),
    ("cupy_residual --large", "cupy", "host-sync", 1),
    ("jax_read_loss", "jax", "host-sync", 1),
    ("jax_read_loss --large", "jax", "host-sync", 1),
    ("jax_host_arrays", "jax", "pageable-copy", 1),
    ("train_inputs", "torch", "stream-order", 1),
    ("results_out", "torch", "stream-order", 1),
    ("sync_layers", "torch", "host-sync", 1),
    ("gradient_norms", "torch", "host-sync", 1),
    ("pin_each_step", "torch", "host-compute", 1),
    ("two_models", "torch", "stream-order", 1),
    ("cupy_null_stream", "cupy", "default-stream-barrier", 1),
    ("slow_loader", "torch", "host-compute", 1),
    # In this version of PyTorch (2026-11-24), a blocking all-reduce runs in the stream of the computation.
    ("ddp", "torch", "stream-order", 2),
    ("ddp --large", "torch", "stream-order", 2),
]
INDEPENDENT_FRAMEWORKS = [  # the same members
    ("pageable_conv_train", "torch", "pageable-copy", 1),
    ("serve_sequential", "torch", "stream-order", 1),
    ("prep_after_sync", "torch", "host-sync", 1),
    ("branches_one_stream", "torch", "stream-order", 1),
    ("decode_top_p", "torch", "host-sync", 1),
    ("moe_nonzero", "torch", "host-sync", 1),
    ("adam_single_tensor", "torch", "launch-overhead", 1),
    ("cupy_residual_read", "cupy", "host-sync", 1),
    ("cupy_unfused_update", "cupy", "launch-overhead", 1),
    ("jax_asarray_step", "jax", "host-sync", 1),
    ("control_two_towers", "torch", "none", 1),
    ("control_loss_item", "torch", "none", 1),
]


def name_of(program):
    """Returns the name of the pair of a program with a framework."""
    return program.replace(" --", "-").replace("_", "-")
