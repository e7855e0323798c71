// report: optimised against original: the ratio with its interval, the noise floor, and whether the outputs are equal.
import type { Comparison, Difference, Estimate, Lookup } from './data';
import { Child, count, h, percent, plural, ratio, sentence } from './dom';
import { Figure } from './figure';
import type { Section } from './section';
import { scrolling, Table } from './table';

interface Row {
  name: string;
  estimate: Estimate;
  noise: boolean;
}

// The axis shows a little more than what is drawn on it, as a share of that.
const air = 0.08;

function rows(comparison: Comparison): Row[] {
  return [
    { name: 'Wall-clock time', estimate: comparison.wall.ratio, noise: false },
    { name: 'Original against itself', estimate: comparison.wall.noise, noise: true },
    { name: 'Processor time', estimate: comparison.cpu.ratio, noise: false },
    { name: 'Original against itself', estimate: comparison.cpu.noise, noise: true },
  ];
}

function intervals(list: Row[]): HTMLElement {
  const values = [1, ...list.flatMap((row) => [row.estimate.low, row.estimate.high])];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const spread = high - low || 1;
  const at = (value: number): string => `${((value - low + spread * air) / (spread * (1 + 2 * air))) * 100}%`;
  const graphic = h('div', { class: 'intervals' });
  for (const { name, estimate, noise } of list) {
    const one = h('span', { class: 'one' });
    const whisker = h('span', { class: 'whisker' });
    const dot = h('span', { class: 'dot' });
    one.style.left = at(1);
    whisker.style.left = at(estimate.low);
    whisker.style.right = `calc(100% - ${at(estimate.high)})`;
    dot.style.left = at(estimate.median);
    graphic.append(
      h(
        'div',
        { class: noise ? 'row noise' : 'row' },
        h('span', { class: 'name' }, name),
        h('span', { 'class': 'axis', 'aria-hidden': 'true' }, one, whisker, dot),
        h(
          'span',
          { class: 'number' },
          h('strong', {}, ratio(estimate.median)),
          h('span', { class: 'muted' }, ` ${ratio(estimate.low)} \u2013 ${ratio(estimate.high)}`),
        ),
      ),
    );
  }
  graphic.append(
    h(
      'p',
      { class: 'muted' },
      'Optimised \u00f7 original, below 1 is faster; the upright line is 1. Dot: median, ' +
        'bar: interval. Grey: the original run twice in the same round, the noise floor of this machine.',
    ),
  );
  return graphic;
}

function twin(list: Row[]): HTMLElement {
  return scrolling(
    'Ratios',
    new Table<Row>({
      caption: 'Ratio of times, with intervals',
      rows: list,
      columns: [
        { title: 'What', cell: (row) => row.name },
        { title: 'Median', cell: (row) => ratio(row.estimate.median), numeric: true },
        { title: 'Low', cell: (row) => ratio(row.estimate.low), numeric: true },
        { title: 'High', cell: (row) => ratio(row.estimate.high), numeric: true },
        { title: 'Confidence', cell: (row) => percent(row.estimate.confidence), numeric: true },
        { title: 'Rounds', cell: (row) => count(row.estimate.n), numeric: true },
      ],
    }).element,
  );
}

function agreement(comparison: Comparison): Child[] {
  const compared = comparison.compared.join(', ') || 'nothing';
  const words = {
    equal: ['applied', `Outputs are equal: ${compared}.`],
    differ: ['stale', 'Outputs differ. The optimised program must not be used; its original is unchanged.'],
    unstable: [
      'refused',
      'The original does not show the same twice, so nothing can be said of the optimised program.',
    ],
  }[comparison.agreement];
  const table =
    comparison.differences.length > 0 &&
    scrolling(
      'Differences',
      new Table<Difference>({
        caption: 'First difference in each output',
        rows: comparison.differences,
        columns: [
          { title: 'Output', cell: (one) => one.what },
          { title: 'Round', cell: (one) => count(one.round), numeric: true },
          { title: 'Line', cell: (one) => count(one.line), numeric: true },
          { title: 'Byte', cell: (one) => count(one.offset), numeric: true },
          { title: 'Expected', cell: (one) => h('code', {}, one.expected) },
          { title: 'Found', cell: (one) => h('code', {}, one.found) },
          { title: 'Program', cell: (one) => one.program },
        ],
      }).element,
    );
  return [h('p', { class: `statement ${words[0]}` }, words[1]), table];
}

function content(lookup: Lookup): Child[] {
  const one = lookup.report.comparison;
  if (!one)
    return [
      h(
        'p',
        { class: 'nothing' },
        'Nothing was measured yet. ',
        h('code', {}, 'thalweg compare'),
        ' runs both programs in turn on the same input.',
      ),
    ];
  const list = rows(one);
  return [
    h('p', { class: 'lede' }, sentence(one.summary)),
    ...agreement(one),
    new Figure('Ratio of times', intervals(list), () => twin(list)).element,
    h(
      'p',
      { class: 'muted' },
      `${plural(one.wall.ratio.n, 'round')}; the original ended with ${one.ending}. `,
      one.command && h('code', {}, one.command),
    ),
  ];
}

export function comparison(lookup: Lookup): Section {
  return { id: 'comparison', title: 'Comparison', content: content(lookup) };
}
