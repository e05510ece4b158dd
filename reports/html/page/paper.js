// A page on paper: timelines as still pictures of what is seen, in the colours for light, as wide as a
// sheet, with all their tracks; and what is folded laid open.

export const paper = {width: 700, height: 900};  // CSS pixels of A4 and Letter, less their margins

export function bindPaper(page, timelines) {
  const root = page.documentElement;
  let folded = [];
  const show = (sheet) => {
    root.classList.toggle('paper', sheet !== null);
    for (const timeline of timelines) {
      if (timeline.model) timeline.drawOn(sheet);
    }
  };
  window.addEventListener('beforeprint', () => {
    folded = [...page.querySelectorAll('details:not([open])')];
    for (const details of folded) details.open = true;
    show(paper);
  });
  window.addEventListener('afterprint', () => {
    for (const details of folded) details.open = false;
    show(null);
  });
}
