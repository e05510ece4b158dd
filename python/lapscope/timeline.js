// Draws the ops of a trace by stream. The wheel zooms, dragging pans, and a double click shows all.
// Pointing names an op.
const GUTTER = 130, LANE = 22, AXIS = 22, LEAST_US = 0.01;
const COLOURS = {
  light: {compute: '#2b8453', h2d: '#3b6fd4', d2h: '#a64ac9', other: '#0c7f81', ink: '#222', faint: '#d8dbe0', paper: '#fff'},
  dark: {compute: '#4fbf85', h2d: '#6d9bff', d2h: '#cf86ec', other: '#3fc1c3', ink: '#ddd', faint: '#3a3f47', paper: '#1b1d21'},
};
const MEANINGS = {compute: 'kernel', h2d: 'copy to device', d2h: 'copy to host', other: 'other copy'};

// Returns the numbers of a message. Copies them, because typed arrays need an aligned offset. The
// data of a message may begin at any offset.
const numbers = (view, Type) => new Type(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));

export const duration = (us) => {
  const [value, unit] = Math.abs(us) >= 1e6 ? [us / 1e6, 's'] : Math.abs(us) >= 1e3 ? [us / 1e3, 'ms'] : [us, 'us'];
  return `${value.toFixed(Math.abs(value) < 10 ? 3 : Math.abs(value) < 100 ? 2 : 1)} ${unit}`;
};

// Formats an instant. Uses as many digits as distinguish instants that are `step` apart.
export const instant = (us, step) => {
  const [unit, name] = Math.abs(us) >= 1e6 ? [1e6, 's'] : Math.abs(us) >= 1e3 ? [1e3, 'ms'] : [1, 'us'];
  return `${(us / unit).toFixed(Math.min(9, Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9))))} ${name}`;
};

// Returns the columns of the model. In each lane, `ops` has the ops by begin. `latest` has, for each
// op, the latest end of this and all earlier ops. firstAt() searches `latest`.
export function columnsOf(model) {
  const begin = numbers(model.get('begin'), Float64Array), length = numbers(model.get('length'), Float32Array);
  const lane = numbers(model.get('lane'), Uint32Array), name = numbers(model.get('name'), Uint32Array);
  const engine = numbers(model.get('engine'), Uint8Array);
  const lanes = model.get('lanes').map((label) => ({label, ops: [], latest: []}));
  let end = 0;
  begin.forEach((from, op) => {
    const {ops, latest} = lanes[lane[op]];
    ops.push(op);
    latest.push(Math.max(from + length[op], latest.at(-1) ?? 0));
    end = Math.max(end, from + length[op]);
  });
  return {begin, length, name, engine, lanes, end};
}

// Returns the index of the first op of a lane that may last until `us` or longer.
export function firstAt({latest}, us) {
  let low = 0, high = latest.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (latest[middle] < us) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function zoomed([from, to], at, factor, end) {
  const length = Math.min(Math.max((to - from) * factor, LEAST_US), Math.max(end, LEAST_US) * 1.1);
  const share = (at - from) / (to - from);
  return [at - share * length, at + (1 - share) * length];
}

function render({model, el}) {
  const columns = columnsOf(model), {lanes} = columns;
  const canvas = document.createElement('canvas'), caption = document.createElement('div'), label = document.createElement('div');
  const width = model.get('width'), height = model.get('height') || Math.min(600, AXIS + LANE * Math.max(1, lanes.length));
  const size = Math.max(6, (height - AXIS) / Math.max(1, lanes.length));
  const theme = COLOURS[matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'];
  el.style.position = 'relative';
  caption.style.cssText = 'font: 12px sans-serif; margin: 2px 0';
  label.style.cssText = `position: absolute; pointer-events: none; display: none; font: 12px sans-serif; padding: 3px 6px; white-space: pre;
    border: 1px solid ${theme.faint}; background: ${theme.paper}; color: ${theme.ink}; z-index: 1`;
  canvas.style.cssText = `width: ${width}px; height: ${height}px; touch-action: none; cursor: grab`;
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `Timeline of ${model.get('title')}: ${columns.begin.length} ops in ${lanes.length} streams`);
  const scale = globalThis.devicePixelRatio || 1;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext('2d');
  const timeAt = (x) => {
    const [from, to] = model.get('view');
    return from + (x - GUTTER) / (width - GUTTER) * (to - from);
  };

  function draw() {
    const [from, to] = model.get('view'), pixels = (width - GUTTER) / (to - from);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.fillStyle = theme.paper;
    context.fillRect(0, 0, width, height);
    context.font = '11px sans-serif';
    const step = 10 ** Math.floor(Math.log10((to - from) / 4)), wide = step * ((to - from) / step > 20 ? 5 : 2);
    for (let us = Math.ceil(from / wide) * wide; us <= to; us += wide) {
      const x = GUTTER + (us - from) * pixels;
      context.fillStyle = theme.faint;
      context.fillRect(x, AXIS - 4, 1, height);
      context.fillStyle = theme.ink;
      if (x < width - 40) context.fillText(instant(us, wide), x + 3, 13);
    }
    lanes.forEach((lane, row) => {
      const top = AXIS + row * size;
      context.fillStyle = theme.ink;
      if (size >= 10) context.fillText(lane.label, 4, top + size / 2 + 4, GUTTER - 8);
      let drawn = GUTTER - 1;  // the pixels up to this one are drawn; many ops may share a pixel
      for (let at = firstAt(lane, from); at < lane.ops.length; at += 1) {
        const op = lane.ops[at], begin = columns.begin[op];
        if (begin > to) break;
        const left = Math.max(GUTTER, GUTTER + (begin - from) * pixels);
        const right = Math.max(left + 1, Math.min(width, GUTTER + (begin + columns.length[op] - from) * pixels));
        if (right <= drawn) continue;
        context.fillStyle = theme[model.get('engines')[columns.engine[op]]];
        context.fillRect(left, top + 2, right - left > 3 ? right - left - 0.5 : right - left, size - 4);
        drawn = Math.max(drawn, Math.floor(right));
      }
    });
    caption.textContent = [`${model.get('title')}: ${duration(to - from)} of ${duration(columns.end)}`, model.get('note')].filter(Boolean).join(' · ');
  }

  // Returns the shortest op at a point, because an op may lie within a longer one.
  function opAt(x, y) {
    const lane = lanes[Math.floor((y - AXIS) / size)];
    if (!lane || x < GUTTER || y < AXIS) return null;
    const near = (timeAt(x + 2) - timeAt(x)), us = timeAt(x);
    let found = null;
    for (let at = firstAt(lane, us - near); at < lane.ops.length && columns.begin[lane.ops[at]] <= us + near; at += 1) {
      const op = lane.ops[at];
      if (columns.begin[op] + columns.length[op] >= us - near && (found === null || columns.length[op] < columns.length[found])) found = op;
    }
    return found === null ? null : {op: found, lane};
  }

  function move(view) {
    model.set('view', view);
    model.save_changes();
  }
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    move(zoomed(model.get('view'), timeAt(Math.max(GUTTER, place(event)[0])), Math.exp(event.deltaY / 400), columns.end));
  }, {passive: false});
  let held = null;
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    held = {x: event.clientX, view: model.get('view')};
  });
  canvas.addEventListener('pointerup', () => { held = null; });
  canvas.addEventListener('pointermove', (event) => {
    if (held) {
      const [from, to] = held.view, by = (event.clientX - held.x) / (width - GUTTER) * (to - from);
      move([from - by, to - by]);
    }
    const [x, y] = place(event), under = opAt(x, y);
    label.style.display = under && !held ? 'block' : 'none';
    if (!under) return;
    const {op, lane} = under;
    label.textContent = `${model.get('names')[columns.name[op]]}\n${MEANINGS[model.get('engines')[columns.engine[op]]]}, ${lane.label}\n` +
      `${duration(columns.length[op])} from ${duration(columns.begin[op])} on`;
    label.style.left = `${Math.min(x + 12, width - label.offsetWidth)}px`;
    label.style.top = `${y + 14}px`;
  });
  canvas.addEventListener('pointerleave', () => { label.style.display = 'none'; });
  canvas.addEventListener('dblclick', () => move([0, Math.max(columns.end, LEAST_US)]));
  canvas.addEventListener('keydown', (event) => {
    const [from, to] = model.get('view'), by = (to - from) / 5;
    const views = {ArrowLeft: [from - by, to - by], ArrowRight: [from + by, to + by], '0': [0, Math.max(columns.end, LEAST_US)],
      '+': zoomed([from, to], (from + to) / 2, 0.7, columns.end), '-': zoomed([from, to], (from + to) / 2, 1.4, columns.end)};
    if (!views[event.key]) return;
    event.preventDefault();
    move(views[event.key]);
  });
  el.append(canvas, label, caption);
  model.on('change:view', draw);
  draw();
  return () => model.off('change:view', draw);
}

export default {render};
