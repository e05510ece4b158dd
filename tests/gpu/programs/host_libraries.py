"""Usual loops of libraries, which the host limits: host_libraries.py CASE [STEPS]

hf_trainer, hf_generate, lightning, timm_train, flax_train, cupy_loop. Models have random weights, so nothing is downloaded. The range
"measure" contains the loop, unless a library runs the loop. docs/host-time.md says what each host does, as found by reading the code.
"""
import contextlib
import os
import sys

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")


@contextlib.contextmanager
def measured():
    import torch
    torch.cuda.synchronize()
    torch.cuda.nvtx.range_push("measure")
    yield
    torch.cuda.synchronize()
    torch.cuda.nvtx.range_pop()


def hf_trainer(steps):
    import tempfile

    import torch
    from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

    class Texts(torch.utils.data.Dataset):
        def __len__(self):
            return 100_000

        def __getitem__(self, index):
            ids = [(index * 7 + i * 13) % 1000 for i in range(128)]
            return {"input_ids": torch.tensor(ids), "labels": torch.tensor(ids)}

    model = GPT2LMHeadModel(GPT2Config(vocab_size=1000, n_positions=128, n_embd=256, n_layer=6, n_head=8))
    arguments = TrainingArguments(output_dir=tempfile.mkdtemp(), max_steps=steps, per_device_train_batch_size=16,
                                  logging_steps=1, save_strategy="no", report_to=[], disable_tqdm=True)
    Trainer(model=model, args=arguments, train_dataset=Texts()).train()


def hf_generate(steps):
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    model = GPT2LMHeadModel(GPT2Config(vocab_size=1000, n_positions=512, n_embd=512, n_layer=12, n_head=8)).cuda().eval()
    prompt = torch.randint(0, 1000, (4, 32), device="cuda")
    more = dict(do_sample=True, pad_token_id=0, eos_token_id=None)
    model.generate(prompt, max_new_tokens=8, **more)
    with measured():
        model.generate(prompt, max_new_tokens=steps, **more)


def lightning(steps):
    import pytorch_lightning
    import torch
    from torch import nn

    class Module(pytorch_lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.net = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10))

        def training_step(self, batch, _):
            inputs, labels = batch
            loss = nn.functional.cross_entropy(self.net(inputs), labels)
            self.log("loss", loss, prog_bar=True)
            return loss

        def configure_optimizers(self):
            return torch.optim.Adam(self.parameters(), lr=1e-3)

    data = torch.utils.data.TensorDataset(torch.randn(50_000, 64), torch.randint(0, 10, (50_000,)))
    trainer = pytorch_lightning.Trainer(max_steps=steps, logger=False, enable_checkpointing=False,
                                        enable_model_summary=False, enable_progress_bar=False)
    trainer.fit(Module(), torch.utils.data.DataLoader(data, batch_size=64))


def timm_train(steps):
    import timm
    import torch
    from timm.data import create_transform
    from torchvision.datasets import FakeData

    data = FakeData(4096, (3, 160, 160), 10, transform=create_transform(128, is_training=True, auto_augment="rand-m9-n2"))
    net = timm.create_model("resnet18", num_classes=10).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    batches = iter(torch.utils.data.DataLoader(data, 16))

    def step():
        images, labels = next(batches)
        loss = torch.nn.functional.cross_entropy(net(images.cuda()), labels.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    step()
    with measured():
        for _ in range(steps):
            step()


def flax_train(steps):
    import jax
    import jax.numpy as jnp
    import numpy
    import optax
    from flax import linen

    class Net(linen.Module):
        @linen.compact
        def __call__(self, x):
            for _ in range(4):
                x = linen.relu(linen.Dense(512)(x))
            return linen.Dense(10)(x)

    net, random = Net(), numpy.random.default_rng(1)
    weights = net.init(jax.random.PRNGKey(0), jnp.ones((1, 256)))
    optimizer = optax.adam(1e-3)
    state = optimizer.init(weights)

    def loss_of(weights, inputs, labels):
        return optax.softmax_cross_entropy_with_integer_labels(net.apply(weights, inputs), labels).mean()

    @jax.jit
    def update(weights, state, inputs, labels):
        loss, slopes = jax.value_and_grad(loss_of)(weights, inputs, labels)
        changes, state = optimizer.update(slopes, state)
        return optax.apply_updates(weights, changes), state, loss

    def step():
        nonlocal weights, state
        inputs = random.standard_normal((256, 256)).astype(numpy.float32)
        weights, state, loss = update(weights, state, inputs, random.integers(0, 10, 256))
        return float(loss)

    for _ in range(3):
        step()
    for _ in range(steps):
        step()


def cupy_loop(steps):
    import cupy
    import numpy

    rows = numpy.random.default_rng(1).random((64, 1 << 16), dtype=numpy.float32)

    def step(i):
        x = cupy.asarray(rows[i % 64])
        for _ in range(20):
            x = cupy.sqrt(x * x + 1)
        return float(x.sum())

    for i in range(3):
        step(i)
    cupy.cuda.nvtx.RangePush("measure")
    for i in range(steps):
        step(i)
    cupy.cuda.nvtx.RangePop()


if __name__ == "__main__":
    case = sys.argv[1]
    steps = {"hf_trainer": 60, "hf_generate": 120, "lightning": 400, "timm_train": 25, "flax_train": 800, "cupy_loop": 1200}
    globals()[case](int(sys.argv[2]) if len(sys.argv) > 2 else steps[case])
