// Zoom of a timeline in the page: buttons and keys choose two moments, and the spans between them are drawn in as many
// bins as the whole. Each figure with data of trace_charts.zoom_data() gets it. Without scripts the drawing stays whole.
"use strict";
for (const data of document.querySelectorAll("figure script")) zoomable(data.parentElement, JSON.parse(data.textContent));

function zoomable(figure, plot) {
  const lanes = figure.querySelector(".lanes"), axis = figure.querySelector(".axis"), said = document.createElement("output");
  let from = 0, to = plot.seconds;
  const view = (first, last) => {
    const wide = Math.min(Math.max(last - first, plot.seconds * 1e-5), plot.seconds);
    from = Math.min(Math.max(first, 0), plot.seconds - wide);
    to = from + wide;
    draw(plot, lanes, axis, from, to);
    said.textContent = `${timeText(from)} to ${timeText(to)}`;
  };
  const zoom = (factor, at = (from + to) / 2) => view(at - (at - from) * factor, at + (to - at) * factor);
  const move = (part) => view(from + part * (to - from), to + part * (to - from));
  const actions = [["+", "zoom in", () => zoom(0.5)], ["-", "zoom out", () => zoom(2)],
                   ["ArrowLeft", "earlier", () => move(-0.25)], ["ArrowRight", "later", () => move(0.25)],
                   ["0", "whole", () => view(0, plot.seconds)]];
  if (plot.work) actions.push(["w", "work", () => view(...plot.work)]);
  const bar = document.createElement("div");
  for (const [key, name, act] of actions) {
    const button = bar.appendChild(document.createElement("button"));
    button.textContent = name;
    button.title = `key ${key}`;
    button.onclick = act;
  }
  bar.append(said);
  figure.prepend(bar);
  figure.tabIndex = 0;
  figure.addEventListener("keydown", (event) => {
    const found = !event.ctrlKey && !event.metaKey && !event.altKey && actions.find(([key]) => key === (event.key === "=" ? "+" : event.key));
    if (!found) return;
    found[2]();
    event.preventDefault();
  });
  lanes.parentElement.addEventListener("dblclick", (event) => {
    const box = lanes.parentElement.getBoundingClientRect(), x = (event.clientX - box.left) * lanes.parentElement.viewBox.baseVal.width / box.width;
    zoom(0.25, from + (x - plot.left) / (plot.right - plot.left) * (to - from));
  });
}

function draw(plot, lanes, axis, from, to) {
  const wide = (plot.right - plot.left) / plot.bins;
  lanes.replaceChildren();
  plot.rows.forEach((row, r) => {
    for (const [name, first, last] of runsOfBins(row, plot, from, to)) {
      const tall = (plot.high - 2) * (plot.names[name] === "nap" ? plot.thin : 1);
      const bar = shape(lanes, "rect", {x: plot.left + first * wide, y: plot.top + r * plot.high + (plot.high - 2 - tall) / 2,
                                        width: (last - first) * wide, height: tall, fill: plot.fills[name]});
      shape(bar, "title", {}).textContent = `core ${plot.cores[r]}: ${plot.names[name]}`;
    }
  });
  const [factor, unit] = timeUnit(to - from), span = (to - from) * factor, step = stepOf(span / 8);
  axis.replaceChildren();
  shape(axis, "line", {x1: plot.left, y1: plot.bottom, x2: plot.right, y2: plot.bottom, stroke: "#222222"});
  for (let k = 0; k * step <= span * 1.000001; ++k) {
    const x = plot.left + k * step / span * (plot.right - plot.left);
    shape(axis, "line", {x1: x, y1: plot.bottom, x2: x, y2: plot.bottom + 5, stroke: "#222222"});
    label(axis, x, plot.bottom + 19, 11, String(+(k * step).toPrecision(3)));
  }
  label(axis, (plot.left + plot.right) / 2, plot.bottom + 40, 12, from > 0 ? `time from ${timeText(from)} on, ${unit}` : `time, ${unit}`);
}

// [name, first bin, last bin + 1]: of each bin the phase that has most of it, where any has half of it.
function runsOfBins(row, plot, from, to) {
  const shares = Array.from({length: plot.bins}, () => new Map()), runs = [];
  const binOf = (moment) => (moment * plot.seconds / 2 ** 24 - from) / (to - from) * plot.bins;
  for (let k = 0; k < row.length; k += 3) {
    const first = Math.max(binOf(row[k + 1]), 0), last = Math.min(binOf(row[k + 2]), plot.bins);
    for (let bin = Math.floor(first); bin < last; ++bin)
      shares[bin].set(row[k], (shares[bin].get(row[k]) || 0) + Math.min(last, bin + 1) - Math.max(first, bin));
  }
  shares.forEach((share, bin) => {
    const sorted = [...share].sort((a, b) => b[1] - a[1]);
    if (sorted.reduce((sum, [, part]) => sum + part, 0) < 0.5) return;
    const run = runs.at(-1);
    if (run && run[0] === sorted[0][0] && run[2] === bin) run[2] = bin + 1;
    else runs.push([sorted[0][0], bin, bin + 1]);
  });
  return runs;
}

function shape(parent, name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return parent.appendChild(made);
}

function label(parent, x, y, size, text) {
  shape(parent, "text", {x, y, "font-size": size, "text-anchor": "middle", fill: "#222222"}).textContent = text;
}

function stepOf(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 5, 10].find((k) => power * k >= rough * 0.999);
}

function timeUnit(seconds) { return seconds >= 1 ? [1, "s"] : seconds >= 1e-3 ? [1e3, "ms"] : [1e6, "µs"]; }

function timeText(seconds) {
  const [factor, unit] = timeUnit(seconds);
  return `${+(seconds * factor).toPrecision(6)} ${unit}`;
}
