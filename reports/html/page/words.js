// Formats times, shares and rates, and computes the ticks of an axis. Times are in ns.

const units = [[1e9, 's'], [1e6, 'ms'], [1e3, 'us'], [1, 'ns']];

export function formatNs(ns) {
  const size = Math.abs(ns);
  for (const [unit, name] of units) {
    if (size >= unit * 0.999995 || unit === 1) {
      return unit === 1 ? `${Math.round(ns)} ns` : `${(ns / unit).toFixed(2)} ${name}`;
    }
  }
  return '';
}

// A small share does not look like none, and not quite all does not look like 100 %.
export function formatShare(part, whole) {
  const text = (100 * part / whole).toFixed(1);
  if (part > 0 && text === '0.0') return '<0.1 %';
  return part < whole && text === '100.0' ? '>99.9 %' : `${text} %`;
}

export function formatRate(bytesPerSecond) {
  const [unit, name] = [[1e9, 'GB/s'], [1e6, 'MB/s'], [1e3, 'kB/s']].find(([size]) => bytesPerSecond >= size) || [1, 'B/s'];
  return bytesPerSecond === 0 ? '0' : `${(bytesPerSecond / unit).toFixed(unit === 1 ? 0 : 1)} ${name}`;
}

export function formatBytes(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / (1024 * 1024)).toFixed(1)} MiB`;
}

// Shortens a name for a small space. Template arguments and parameters are removed first.
export function shortName(name, letters) {
  let short = name.replace(/^void /, '').replace(/[<(].*$/s, '');
  short = short.split('::').pop() || name;
  // For a copy, the direction says more than the word "copy".
  if (short.length > letters) short = short.replace(/^copy (?=\S)/, '');
  return short.length <= letters ? short : letters > 1 ? short.slice(0, letters - 1) + '…' : '';
}

// Formats an instant as --window takes it: in ms since the first op.
export function formatInstant(ns) {
  return `${(ns / 1e6).toFixed(3)} ms`;
}

// Returns at most `most` round instants in [from, to]: {at, label}, the label in ms.
export function ticksIn(from, to, most) {
  const length = to - from;
  if (!(length > 0) || most < 1) return [];
  let step = 10 ** Math.floor(Math.log10(length / most));
  for (const factor of [1, 2, 5, 10]) {
    if (length / (step * factor) <= most) {
      step *= factor;
      break;
    }
  }
  step = Math.max(step, 1);
  const decimals = Math.max(0, Math.ceil(Math.log10(1e6 / step)));
  const ticks = [];
  for (let k = Math.ceil(from / step); k * step <= to; ++k) {
    ticks.push({at: k * step, label: `${(k * step / 1e6).toFixed(decimals)} ms`});
  }
  return ticks;
}
