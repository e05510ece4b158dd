// Selects the colours of kernels, and shows them in a legend. The kernels that took most time have their own
// colours; all others share one.
import {formatShare, shortName} from './words.js';

export const colouredKernels = 8;  // number of kernel colours in the style sheet

// Returns how long the ops of each name ran on compute engines, the longest first: [name, ns]. Joined ops of a
// single name count under that name.
export function kernelTimes({tracks, names, thinned}) {
  const sums = new Float64Array(names.length);
  for (const {kind, engine, name, busy} of tracks) {
    if (kind !== 'op' || engine !== 'compute') continue;
    for (let i = 0; i < name.length; ++i) sums[name[i]] += busy[i + 1] - busy[i];
  }
  const own = names.length - thinned.names.length;
  thinned.names.forEach((set, k) => {
    if (set.length === 1) [sums[set[0]], sums[own + k]] = [sums[set[0]] + sums[own + k], 0];
  });
  return names.map((name, k) => [name, sums[k]]).filter(([, ns]) => ns > 0).sort((a, b) => b[1] - a[1]);
}

// Returns the kernels with their own colours, for all timelines of a page: a Map from name to colour.
export function coloursOfKernels(models) {
  const sums = new Map();
  for (const [name, ns] of models.flatMap(kernelTimes)) sums.set(name, (sums.get(name) || 0) + ns);
  const ranked = [...sums].sort((a, b) => b[1] - a[1]).slice(0, colouredKernels);
  return new Map(ranked.map(([name], k) => [name, k]));
}

// Returns the colour for each index of a name; colouredKernels for all others.
export function coloursByNumber({names, thinned}, colours) {
  const own = names.length - thinned.names.length;
  return Uint8Array.from(names, (name, k) => {
    const set = k < own ? [k] : thinned.names[k - own];
    return (set.length === 1 ? colours.get(names[set[0]]) : undefined) ?? colouredKernels;
  });
}

// Returns the rows of the legend: {name, colour, ns}, with an empty name for all others.
export function legendOf(model, colours) {
  const times = kernelTimes(model);
  const others = times.filter(([name]) => !colours.has(name));
  const rows = times.filter(([name]) => colours.has(name)).map(([name, ns]) => ({name, colour: colours.get(name), ns}));
  if (others.length > 0) rows.push({name: '', colour: colouredKernels, ns: others.reduce((sum, [, ns]) => sum + ns, 0)});
  return rows;
}

export function showLegend(list, model, colours) {
  const rows = legendOf(model, colours);
  const all = rows.reduce((sum, {ns}) => sum + ns, 0);
  list.replaceChildren(...rows.map(({name, colour, ns}) => {
    const row = document.createElement('li');
    const swatch = document.createElement('span');
    swatch.className = `kernel-${colour}`;
    row.append(swatch, `${name ? shortName(name, 40) : 'others'} ${formatShare(ns, all)}`);
    if (name) row.title = name.slice(0, 4000);
    return row;
  }));
}
