"""A small transformer generates tokens with a key-value cache and top-p sampling. Planted: after each token, the CPU
reads whether all sequences have ended. Fixed: it reads this after every 16th token."""
import sys
import measured

args = measured.options()
torch = measured.framework("torch")
nn, F = torch.nn, torch.nn.functional
torch.manual_seed(0)
device = torch.device("cuda")
BATCH, DIM, HEADS, LAYERS, VOCABULARY, LENGTH, END = 64, 256, 4, 4, 50304, 32, 2


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2, self.out = nn.LayerNorm(DIM), nn.LayerNorm(DIM), nn.Linear(DIM, DIM)
        self.qkv, self.up, self.down = nn.Linear(DIM, 3 * DIM), nn.Linear(DIM, 4 * DIM), nn.Linear(4 * DIM, DIM)
        for name in ("keys", "values"):
            self.register_buffer(name, torch.zeros(BATCH, HEADS, LENGTH, DIM // HEADS))

    def forward(self, x, position):
        query, key, value = self.qkv(self.norm1(x)).view(BATCH, 3, HEADS, DIM // HEADS).unbind(1)
        self.keys[:, :, position], self.values[:, :, position] = key, value
        keys, values = self.keys[:, :, :position + 1], self.values[:, :, :position + 1]
        mixed = F.scaled_dot_product_attention(query.unsqueeze(2), keys, values)
        x = x + self.out(mixed.reshape(BATCH, DIM))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


embed = nn.Embedding(VOCABULARY, DIM).to(device)
blocks = nn.ModuleList(Block() for _ in range(LAYERS)).to(device)
head = nn.Linear(DIM, VOCABULARY, bias=False).to(device)
generator = torch.Generator(device=device)
tokens = torch.zeros(LENGTH + 1, BATCH, dtype=torch.long, device=device)


def sample(logits):
    chance, order = torch.softmax(logits / 0.8, dim=-1).sort(dim=-1, descending=True)
    chance = chance.masked_fill(chance.cumsum(dim=-1) - chance > 0.9, 0.0)
    noise = torch.empty_like(chance).exponential_(generator=generator)
    return order.gather(-1, (chance / noise).argmax(dim=-1, keepdim=True)).squeeze(-1)


@torch.inference_mode()
def loop():
    generator.manual_seed(1)
    ended = torch.zeros(BATCH, dtype=torch.bool, device=device)
    for position in range(LENGTH):
        x = embed(tokens[position])
        for block in blocks:
            x = block(x, position)
        tokens[position + 1] = sample(head(x))
        ended |= tokens[position + 1] == END
        if (not args.fixed or position % 16 == 15) and ended.all().item():
            break


measured.run(loop, torch.cuda.synchronize, args)
print(f"check: {tokens.sum().item()}", file=sys.stderr)
