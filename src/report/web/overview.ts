// report: the first screen: what the program is, what was found, what came of it.
import { Comparison, Decision, EventInfo, Lookup, State, stateWord } from './data';
import {
  add,
  Child,
  count,
  counted,
  duration,
  estimated,
  h,
  percent,
  plural,
  ratio,
  sentence,
  shortCount,
} from './dom';
import { Figure } from './figure';
import type { Section } from './section';
import { scrolling, Table } from './table';

// More bars than this are a table, not a picture; the table twin has them all.
const mostBars = 12;

export function interval(comparison: Comparison): string {
  const { ratio: estimate } = comparison[comparison.metric === 'cpu' ? 'cpu' : 'wall'];
  return `${ratio(estimate.low)} \u2013 ${ratio(estimate.high)}`;
}

function headline(lookup: Lookup): Child[] {
  const { comparison, decisions, events } = lookup.report;
  if (comparison) return [sentence(comparison.summary)];
  if (events.length === 0 && lookup.report.guards.length > 0)
    return ['A recording of the optimised program: how often its guards held stands under Trust.'];
  const { systemCalls } = lookup.report;
  if (events.length === 0 && systemCalls.length > 0 && !decisions)
    return [
      h('a', { href: '#calls' }, `System calls at ${plural(systemCalls.length, 'site')}`),
      `, and no event. Nothing is planned yet: `,
      h('code', {}, 'thalweg plan'),
      ' decides what is worth doing.',
    ];
  if (events.length === 0 && !decisions?.length) return ['No event was raised while this program was recorded.'];
  if (!decisions)
    return [
      `${plural(events.length, 'event')} recorded. Nothing is planned yet: `,
      h('code', {}, 'thalweg plan'),
      ' decides what is worth doing.',
    ];
  const states = decisions.map((decision) => lookup.stateOf(decision));
  const number = (state: State): number => states.filter((one) => one === state).length;
  const done = lookup.report.outcome ? `${count(number('applied'))} applied` : `${count(number('planned'))} planned`;
  return [
    `${plural(decisions.length, 'opportunity', 'opportunities')}: ${done}, ${count(number('refused'))} refused`,
    number('stale') > 0 ? `, ${count(number('stale'))} not applied` : '',
    lookup.report.outcome ? '. Nothing is measured yet: ' : '. Nothing is optimised yet: ',
    h('code', {}, lookup.report.outcome ? 'thalweg compare' : 'thalweg optimize'),
    ' does it.',
  ];
}

function tiles(lookup: Lookup): HTMLElement {
  const { coverage, events, decisions, outcome, comparison } = lookup.report;
  const list = h('dl', { class: 'tiles' });
  const tile = (name: string, value: Child, note: Child, tone = ''): void => {
    list.append(
      h(
        'div',
        { class: `tile ${tone}` },
        h('dt', {}, name),
        h('dd', {}, h('strong', {}, value), h('span', { class: 'muted' }, note)),
      ),
    );
  };
  if (comparison) {
    const side = comparison.metric === 'cpu' ? comparison.cpu : comparison.wall;
    tile(
      'Time, optimised \u00f7 original',
      ratio(side.ratio.median),
      `95 % interval ${interval(comparison)}, ${comparison.metric === 'cpu' ? 'processor' : 'wall-clock'} time`,
      comparison.speed === 'faster' ? 'applied' : comparison.speed === 'slower' ? 'refused' : '',
    );
    const agreement = { equal: 'equal', differ: 'differ', unstable: 'unstable' }[comparison.agreement];
    tile(
      'Outputs',
      agreement,
      `compared: ${comparison.compared.join(', ') || 'nothing'}`,
      comparison.agreement === 'equal' ? 'applied' : 'stale',
    );
  }
  if (decisions) {
    const states = decisions.map((decision) => lookup.stateOf(decision));
    const number = (state: State): number => states.filter((one) => one === state).length;
    tile(
      outcome ? 'Applied' : 'Planned',
      count(number(outcome ? 'applied' : 'planned')),
      `${count(number('refused'))} refused, ${count(number('stale'))} not applied`,
      outcome ? 'applied' : '',
    );
  }
  if (lookup.report.recorded)
    tile(
      'Dispatches',
      h('span', { title: count(coverage.dispatches) }, shortCount(coverage.dispatches)),
      `of ${plural(events.length, 'event')}, in ${plural(coverage.runs, 'run')}`,
    );
  if (outcome && outcome.instructionsBefore > 0)
    tile(
      'Code',
      `${outcome.instructionsAfter >= outcome.instructionsBefore ? '+' : '\u2212'}${percent(
        Math.abs(outcome.instructionsAfter - outcome.instructionsBefore) / outcome.instructionsBefore,
      )}`,
      `${count(outcome.instructionsBefore)} \u2192 ${count(outcome.instructionsAfter)} instructions`,
    );
  return list;
}

interface Row extends EventInfo {
  index: number;
  state: State;
  decision: Decision | undefined;
}

// By their own time; of events that nobody timed only the raises are known.
function dearestFirst(lookup: Lookup): Row[] {
  const own = (row: Row): number => row.time?.ownNs ?? -1;
  return lookup.report.events
    .map((event, index) => {
      const decision = lookup.mainDecision(event.name);
      return { ...event, index, decision, state: decision ? lookup.stateOf(decision) : ('none' as State) };
    })
    .sort((a, b) => own(b) - own(a) || b.raises - a.raises);
}

// The first sentence; the whole of it stands with the decision.
function firstSentence(reason: string): string {
  const end = reason.indexOf('. ');
  return (end < 0 ? reason : reason.slice(0, end)).replace(/\.$/, '');
}

function whatWasDone(lookup: Lookup, { decision }: Row): Child[] {
  if (!decision) return [lookup.report.decisions ? 'no decision' : 'nothing is planned yet'];
  const name = decision.refusal || decision.kind;
  return [
    h('a', { href: `#decision-${decision.id}` }, `Decision ${decision.id}`),
    ` ${name}: ${firstSentence(lookup.reasonOf(decision))}`,
  ];
}

function costBars(lookup: Lookup, rows: Row[], isTimed: boolean): HTMLElement {
  const cost = (row: Row): number => (isTimed ? (row.time?.ownNs ?? 0) : row.raises);
  const most = Math.max(1, ...rows.map(cost));
  const bars = h('ul', { class: 'bars costs' });
  for (const row of rows.slice(0, mostBars)) {
    const bar = h('span', { class: `bar ${row.state}` });
    bar.style.width = `${(cost(row) / most) * 100}%`;
    bars.append(
      h(
        'li',
        {},
        h('a', { href: `#event-${row.index}`, title: row.name }, row.name),
        h('span', { 'class': 'track', 'aria-hidden': 'true' }, bar),
        h(
          'span',
          { class: 'number' },
          !isTimed ? counted(row.raises, row.error) : row.time ? `~${duration(row.time.ownNs)}` : 'unknown',
        ),
        h('span', { class: `badge ${row.state}` }, stateWord[row.state]),
        h('span', { class: 'muted done' }, ...whatWasDone(lookup, row)),
      ),
    );
  }
  return bars;
}

function costTable(lookup: Lookup, rows: Row[]): HTMLElement {
  const own = (row: Row): number => row.time?.ownNs ?? -1;
  return scrolling(
    'What each event costs',
    new Table<Row>({
      caption: `Cost of ${plural(rows.length, 'event')}`,
      rows,
      columns: [
        {
          title: 'Event',
          cell: (row) => h('a', { href: `#event-${row.index}` }, row.name),
          sort: (row) => row.name,
        },
        {
          title: 'Own time',
          cell: (row) => (row.time ? estimated(row.time.ownNs, row.time.ownErrorNs) : 'unknown'),
          sort: own,
          numeric: true,
        },
        {
          title: 'With what it raised',
          cell: (row) => (row.time ? estimated(row.time.insideNs, row.time.insideErrorNs) : 'unknown'),
          sort: (row) => row.time?.insideNs ?? -1,
          numeric: true,
        },
        { title: 'Raises', cell: (row) => counted(row.raises, row.error), sort: (row) => row.raises, numeric: true },
        {
          title: 'Binding changes',
          cell: (row) => count(row.bindingChanges),
          sort: (row) => row.bindingChanges,
          numeric: true,
        },
        { title: 'Decision', cell: (row) => stateWord[row.state], sort: (row) => row.state },
        { title: 'What was done', cell: (row) => whatWasDone(lookup, row) },
      ],
    }).element,
  );
}

function costs(lookup: Lookup): HTMLElement {
  const rows = dearestFirst(lookup);
  const isTimed = rows.some((row) => row.time);
  const rest = rows.length - mostBars;
  const graphic = h(
    'div',
    {},
    costBars(lookup, rows, isTimed),
    rest > 0 && h('p', { class: 'muted' }, `and ${plural(rest, 'event')} more in the table.`),
    h(
      'p',
      { class: 'muted' },
      isTimed
        ? 'Time of the handlers by the clock, waits included, without what was raised inside; ~: estimated from a sample of the dispatches. ' +
            'The table has the errors.'
        : 'Number of raises: nothing of this run was timed.',
    ),
  );
  return new Figure(isTimed ? 'What costs most' : 'What is raised most', graphic, () => costTable(lookup, rows))
    .element;
}

function content(lookup: Lookup): Child[] {
  const { program, events, comparison } = lookup.report;
  const about = h('dl', { class: 'about' });
  const say = (name: string, value: string): void => add(about, [h('dt', {}, name), h('dd', {}, h('code', {}, value))]);
  if (program.command) say('Command', program.command);
  if (program.buildId) say('Build', program.buildId);
  return [
    h('p', { class: `headline ${comparison?.agreement === 'differ' ? 'stale' : ''}` }, ...headline(lookup)),
    tiles(lookup),
    about,
    events.length > 0 && costs(lookup),
  ];
}

export function overview(lookup: Lookup): Section {
  return { id: 'overview', title: 'Overview', content: content(lookup) };
}
