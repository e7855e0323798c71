// report: the source of specialised functions, line by line: what was done ahead, what is left, what is tested, and why.
import { Decision, LayerFunction, LayerLine, Lookup, stateWord } from './data';
import { add, Child, count, h, plural } from './dom';
import { Figure } from './figure';
import type { Section } from './section';
import { scrolling, Table } from './table';

type Kind = 'static' | 'dynamic' | 'mixed' | 'guarded' | 'trusted';

const kinds: [Kind, string, string][] = [
  ['static', 's', 'static: done when the program was specialised, nothing of it is left'],
  ['dynamic', 'd', 'dynamic: residual, it is left and runs'],
  ['mixed', 'sd', 'mixed: some of it is done, some is left'],
  ['guarded', 'g', 'guarded: a fact is tested here'],
  ['trusted', 't', 'trusted: a fact is believed here without a test'],
];

// Of several the one that a reader must not miss; the letters beside it tell all.
function kindOf({ marks }: LayerLine): Kind | null {
  if (marks.includes('t')) return 'trusted';
  if (marks.includes('g')) return 'guarded';
  if (marks.includes('s')) return marks.includes('d') ? 'mixed' : 'static';
  return marks.includes('d') ? 'dynamic' : null;
}

const markWords: Record<string, string> = { s: 'static', d: 'dynamic', g: 'guarded', t: 'trusted' };
function wordsOf({ marks }: LayerLine): string {
  return [...marks].map((mark) => markWords[mark]).join(', ');
}

function marksOf(line: LayerLine): Child[] {
  if (line.marks === '') return [];
  return [
    h('span', { 'aria-hidden': 'true', 'title': wordsOf(line) }, line.marks),
    h('span', { class: 'unseen' }, wordsOf(line)),
  ];
}

// More reasons than this are folded, so that the lines of a loop stay together.
const mostReasons = 3;

function reasonsOf(line: LayerLine): Child[] {
  const all = line.reasons.map((reason) => h('span', {}, reason));
  if (all.length <= mostReasons) return all;
  const rest = all.splice(1);
  return [...all, h('details', {}, h('summary', {}, plural(rest.length, 'more reason')), ...rest)];
}

function whyOf(line: LayerLine): Child[] {
  return [
    line.trusted > 0 && h('strong', { class: 'trusted-word' }, `${plural(line.trusted, 'fact')} trusted, not tested`),
    line.tested > 0 && h('strong', { class: 'guarded-word' }, `${plural(line.tested, 'fact')} tested here`),
    ...reasonsOf(line),
  ];
}

const columnTitles = ['Line', 'Kind', 'Static', 'Left', 'Source', 'Guards, and why it is dynamic'];

function lineRow(line: LayerLine): HTMLElement {
  const number = (value: number): Child => (line.marks === '' ? '' : count(value));
  return h(
    'tr',
    { class: kindOf(line) ?? 'plain' },
    h('td', { class: 'number line' }, line.line > 0 ? line.line : '\u2013'),
    h('td', { class: 'marks' }, ...marksOf(line)),
    h('td', { class: `number done ${line.evaluated > 0 ? 'some' : ''}` }, number(line.evaluated)),
    h('td', { class: `number left ${line.residual > 0 ? 'some' : ''}` }, number(line.residual)),
    h('td', { class: 'code' }, h('code', {}, line.text ?? (line.line > 0 ? '' : h('i', {}, 'code of no line')))),
    h('td', { class: 'why' }, ...whyOf(line)),
  );
}

// Lines far from all code are not in the data.
function gapRow(lines: number): HTMLElement {
  return h('tr', { class: 'gap' }, h('td', { colspan: columnTitles.length }, `${plural(lines, 'line')} without code`));
}

function sourceTable(one: LayerFunction): HTMLElement {
  const body = h('tbody');
  one.lines.forEach((line, index) => {
    const before = index > 0 ? one.lines[index - 1].line : 0;
    const gap = line.line - before - 1;
    if (index > 0 && gap > 0 && line.text !== null) body.append(gapRow(gap));
    body.append(lineRow(line));
  });
  const heads = columnTitles.map((title, at) =>
    h('th', { scope: 'col', class: at === 0 || at === 2 || at === 3 ? 'number' : null }, title),
  );
  return h('table', { class: 'source' }, h('thead', {}, h('tr', {}, ...heads)), body);
}

function totals(one: LayerFunction): string {
  return [
    `${count(one.evaluated)} done ahead`,
    `${count(one.residual)} left`,
    one.tested > 0 && `${plural(one.tested, 'fact')} tested`,
    one.trusted > 0 && `${count(one.trusted)} trusted`,
  ]
    .filter(Boolean)
    .join(', ');
}

// A share of what was evaluated and of what is left, side by side.
function shareBar(one: LayerFunction): HTMLElement {
  const all = Math.max(1, one.evaluated + one.residual);
  const part = (tone: string, of: number): Child => {
    const bar = h('span', { class: `bar ${tone}` });
    bar.style.width = `${(of / all) * 100}%`;
    return of > 0 && bar;
  };
  return h(
    'span',
    { 'class': 'track', 'aria-hidden': 'true' },
    part('applied', one.evaluated),
    part('refused', one.residual),
  );
}

// A longer function scrolls in a frame of its own, and its heads stay.
const longFunction = 60;

// The lines are drawn when they are first shown: a specialised interpreter has thousands.
function functionPart(one: LayerFunction, open: boolean): HTMLElement {
  const part = h(
    'details',
    { class: 'layer' },
    h(
      'summary',
      { title: one.fullFunction },
      h('code', {}, one.function),
      h('span', { class: 'muted' }, ` ${one.place}: ${totals(one)}`),
      shareBar(one),
    ),
  );
  let drawn = false;
  part.addEventListener('toggle', () => {
    if (!part.open || drawn) return;
    drawn = true;
    const frame = scrolling(`Source of ${one.function}`, sourceTable(one));
    frame.classList.toggle('long', one.lines.length > longFunction);
    add(part, [
      one.problem && h('p', { class: 'muted problem' }, `The lines stand here without their text: ${one.problem}.`),
      frame,
    ]);
  });
  part.open = open;
  return part;
}

function factList(decision: Decision): HTMLElement {
  if (decision.facts.length === 0)
    return h('p', { class: 'muted' }, 'No facts: what the program\u2019s own constants decide is decided.');
  return h(
    'ul',
    { class: 'layer-facts' },
    ...decision.facts.map((fact) =>
      h(
        'li',
        { class: fact.trusted ? 'trusted' : '' },
        h('code', {}, fact.text),
        ' ',
        fact.trusted
          ? h('strong', { class: 'trusted-word' }, 'trusted: not tested')
          : h('span', { class: 'muted' }, 'tested where it is read'),
      ),
    ),
  );
}

interface TwinRow {
  one: LayerFunction;
  line: LayerLine;
}

function twin(title: string, functions: LayerFunction[]): HTMLElement {
  const rows = functions.flatMap((one) =>
    one.lines.filter((line) => line.marks !== '' || line.reasons.length > 0).map((line) => ({ one, line })),
  );
  const number = (name: string, of: (line: LayerLine) => number): object => ({
    title: name,
    numeric: true,
    sort: ({ line }: TwinRow) => of(line),
    cell: ({ line }: TwinRow) => count(of(line)),
  });
  return scrolling(
    title,
    new Table<TwinRow>({
      caption: `${title}: ${plural(rows.length, 'line')} with code`,
      rows,
      sortBy: 4,
      descending: true,
      columns: [
        { title: 'Function', cell: ({ one }) => h('code', {}, one.function), sort: ({ one }) => one.function },
        { title: 'Line', cell: ({ line }) => line.line || '\u2013', sort: ({ line }) => line.line, numeric: true },
        { title: 'Kind', cell: ({ line }) => wordsOf(line), sort: ({ line }) => wordsOf(line) },
        number('Static', (line) => line.evaluated) as never,
        number('Left', (line) => line.residual) as never,
        number('Tested', (line) => line.tested) as never,
        number('Trusted', (line) => line.trusted) as never,
        { title: 'Source', cell: ({ line }) => h('code', {}, (line.text ?? '').trim()) },
        {
          title: 'Why',
          sort: ({ line }) => line.reasons.join(' '),
          cell: ({ line }) => line.reasons.map((reason) => h('div', {}, reason)),
        },
      ],
    }).element,
  );
}

function decisionFigure(lookup: Lookup, decision: Decision, open: boolean): HTMLElement {
  const outcome = lookup.outcomeOf(decision);
  const functions = outcome?.functions ?? [];
  const state = lookup.stateOf(decision);
  const name = `Decision ${decision.id}: ${decision.site.function}`;
  const said = h(
    'p',
    {},
    h('span', { class: `badge ${state}` }, stateWord[state]),
    ' ',
    outcome?.reason || decision.reason,
    outcome?.applied && `; ${plural(outcome.growth, 'instruction')} more`,
  );
  const about = h('div', { class: 'about-layer' }, said, factList(decision));
  if (functions.length === 0)
    return h(
      'figure',
      { id: `layer-${decision.id}` },
      h('figcaption', {}, h('h3', {}, name)),
      about,
      h(
        'p',
        { class: 'muted' },
        outcome ? 'No line of it is told.' : 'What becomes of its lines is told by thalweg optimize.',
      ),
    );
  const graphic = h('div', {}, ...functions.map((one, index) => functionPart(one, open && index === 0)));
  const figure = new Figure(name, graphic, () => twin(name, functions), about);
  figure.element.id = `layer-${decision.id}`;
  return figure.element;
}

function legend(): HTMLElement {
  return h(
    'ul',
    { 'class': 'legend', 'aria-label': 'Colours and letters' },
    ...kinds.map(([kind, letters, words]) =>
      h('li', {}, h('span', { 'class': `swatch ${kind}`, 'aria-hidden': 'true' }, letters), words),
    ),
  );
}

// So few are read at a glance.
const mostOpen = 10;

// Each leads to its place among the opportunities; what the program did not fit says so here as well.
function notSpecialised(lookup: Lookup, decisions: Decision[], open: boolean): HTMLElement {
  const links = decisions.map((one) =>
    h(
      'li',
      {},
      h('a', { href: `#decision-${one.id}` }, one.site.function),
      h(
        'span',
        { class: 'muted' },
        ` ${lookup.stateOf(one) === 'refused' ? one.refusal : lookup.outcomeOf(one)?.reason}`,
      ),
    ),
  );
  const summary = h('summary', {}, `${plural(decisions.length, 'function')} not specialised`);
  return h('details', { class: 'not-specialised', open }, summary, h('ul', { class: 'plain' }, ...links));
}

export function layers(lookup: Lookup): Section | null {
  const decisions = (lookup.report.decisions ?? []).filter((one) => one.kind === 'specialize');
  if (decisions.length === 0) return null;
  const shown = decisions.filter((one) => lookup.hasLayer(one));
  const others = decisions.filter((one) => !lookup.hasLayer(one));
  const none = h('p', { class: 'nothing' }, 'No function is specialised; the reasons stand with the opportunities.');
  return {
    id: 'layers',
    title: 'Layers',
    lede:
      'What became of each line of a specialised function and of the layers below it. Where something is known at run ' +
      'time only, the reason stands beside the line: a fact about it would help.',
    content: [
      shown.length > 0 ? legend() : none,
      ...shown.map((one, index) => decisionFigure(lookup, one, index === 0)),
      ...(others.length > 0 ? [notSpecialised(lookup, others, shown.length === 0 && others.length <= mostOpen)] : []),
    ],
  };
}
