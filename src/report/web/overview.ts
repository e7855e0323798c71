// report: the first screen: what the program is, what was found, what came of it.
import { Comparison, Lookup, State, stateWord } from './data';
import { add, Child, count, h, percent, plural, ratio, sentence, shortCount } from './dom';
import { Figure } from './figure';
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

function busiest(lookup: Lookup): HTMLElement {
  const events = lookup.report.events
    .map((event, index) => ({ ...event, index, state: lookup.stateOfEvent(event.name) }))
    .sort((a, b) => b.raises - a.raises);
  const most = Math.max(1, ...events.map((event) => event.raises));
  const bars = h('ul', { class: 'bars' });
  for (const event of events.slice(0, mostBars)) {
    const bar = h('span', { class: `bar ${event.state}` });
    bar.style.width = `${(event.raises / most) * 100}%`;
    bars.append(
      h(
        'li',
        {},
        h('a', { href: `#event-${event.index}`, title: event.name }, event.name),
        h('span', { 'class': 'track', 'aria-hidden': 'true' }, bar),
        h('span', { class: 'number' }, count(event.raises)),
        h('span', { class: `badge ${event.state}` }, stateWord[event.state]),
      ),
    );
  }
  const rest = events.length - mostBars;
  const graphic = h(
    'div',
    {},
    bars,
    rest > 0 && h('p', { class: 'muted' }, `and ${plural(rest, 'event')} more in the table.`),
  );
  return new Figure('Where the raises go', graphic, () =>
    scrolling(
      'Raises by event',
      new Table({
        caption: `Raises of ${plural(events.length, 'event')}`,
        rows: events,
        sortBy: 1,
        descending: true,
        columns: [
          {
            title: 'Event',
            cell: (event) => h('a', { href: `#event-${event.index}` }, event.name),
            sort: (event) => event.name,
          },
          { title: 'Raises', cell: (event) => count(event.raises), sort: (event) => event.raises, numeric: true },
          {
            title: 'Binding changes',
            cell: (event) => count(event.bindingChanges),
            sort: (event) => event.bindingChanges,
            numeric: true,
          },
          { title: 'Decision', cell: (event) => stateWord[event.state], sort: (event) => event.state },
        ],
      }).element,
    ),
  ).element;
}

export function overview(lookup: Lookup): Child[] {
  const { program, events, comparison } = lookup.report;
  const about = h('dl', { class: 'about' });
  const say = (name: string, value: string): void => add(about, [h('dt', {}, name), h('dd', {}, h('code', {}, value))]);
  if (program.command) say('Command', program.command);
  if (program.buildId) say('Build', program.buildId);
  return [
    h('p', { class: `headline ${comparison?.agreement === 'differ' ? 'stale' : ''}` }, ...headline(lookup)),
    tiles(lookup),
    about,
    events.length > 0 && busiest(lookup),
  ];
}
