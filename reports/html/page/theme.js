// Reads the colours from the page's style sheet, for light or dark. Kernels have colours by name (legend.js),
// host work by its kind. Names of copies, calls and ranges differ in lightness: neighbours look different,
// and the engine stays recognizable.
import {colouredKernels} from './legend.js';

const shades = 6;

export function parseColour(text) {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text.trim());
  return hex ? hex.slice(1).map((part) => parseInt(part, 16)) : [128, 128, 128];
}

export function shadeOf([r, g, b], index) {
  const amount = (index - (shades - 1) / 2) / shades * 0.42;
  const towards = amount > 0 ? 255 : 0;
  return [r, g, b].map((part) => Math.round(part + (towards - part) * Math.abs(amount)));
}

export function shadeIndex(name) {
  let hash = 2166136261;
  for (let i = 0; i < name.length; ++i) hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
  return (hash >>> 8) % shades;
}

// Returns the relative luminance as defined by WCAG, for {r, g, b} of eight bits each.
export function luminance(rgb) {
  const [r, g, b] = rgb.map((part) => part / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// Returns black or white, whichever has more contrast with the background: 4.58 at least.
export function textOn(rgb) {
  return luminance(rgb) > 0.179 ? '#000000' : '#ffffff';
}

// Returns the theme with {css, rgb, text} for each colour; rgb has eight bits each. Must be read again when the
// colour scheme changes. `kernel` has the colour index of each name. The result's `work` has the colour of each
// entry of the model's hostWork.
export function readTheme(element, {names, hostWork}, kernel) {
  const style = getComputedStyle(element);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const paint = (rgb) => ({rgb, css: `rgb(${rgb.join(',')})`, text: textOn(rgb)});
  const palette = (name) => {
    const base = parseColour(colour(name));
    return Array.from({length: shades}, (_, i) => paint(shadeOf(base, i)));
  };
  const theme = {shade: Uint8Array.from(names, shadeIndex), kernel};
  theme.kernels = Array.from({length: colouredKernels + 1}, (_, k) => paint(parseColour(colour(`kernel-${k}`))));
  theme.work = hostWork.map(({kind}) => paint(parseColour(colour(`k-${kind}`))));
  for (const name of ['text', 'faint', 'line', 'back', 'lane', 'accent', 'alarm', 'match']) theme[name] = colour(name);
  for (const name of ['compute', 'h2d', 'd2h', 'other', 'comm', 'call', 'range']) theme[name] = palette(name);
  return theme;
}
