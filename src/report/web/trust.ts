// report: how far the figures can be relied on: what was seen, what was lost, what the guards met, what went stale.
import { Decision, Guard, Lookup } from './data';
import { Child, count, h, percent, plural } from './dom';
import { Figure } from './figure';
import type { Section } from './section';
import { scrolling, Table } from './table';

function coverage(lookup: Lookup): Child[] {
  const { coverage: seen } = lookup.report;
  const share = seen.dispatches > 0 ? Math.min(1, seen.recorded / seen.dispatches) : 0;
  const bar = h('span', { class: 'bar' });
  bar.style.width = `${share * 100}%`;
  const graphic = h(
    'ul',
    { class: 'bars' },
    h(
      'li',
      {},
      h('span', {}, 'Written down in full'),
      h('span', { 'class': 'track', 'aria-hidden': 'true' }, bar),
      h('span', { class: 'number' }, `${count(seen.recorded)} of ${plural(seen.dispatches, 'dispatch', 'dispatches')}`),
    ),
  );
  const facts: [string, number, string][] = [
    ['Dispatches that ran', seen.dispatches, 'all of them are counted'],
    [
      'Written down in full',
      seen.recorded,
      seen.recorded < seen.dispatches
        ? 'samples; what was estimated from them is marked ~, with its error'
        : 'all of them',
    ],
    ['Lost', seen.lost, seen.lost > 0 ? 'did not fit the recorder\u2019s tables' : 'the tables held everything'],
    ['Runs', seen.runs, ''],
    ['Processes', seen.processes, ''],
    ['Threads', seen.threads, ''],
  ];
  const runs = `${plural(seen.runs, 'run')}, ${plural(seen.processes, 'process', 'processes')}, ${plural(seen.threads, 'thread')}`;
  const [tone, words] =
    seen.lost > 0
      ? [
          'refused',
          `${plural(seen.lost, 'dispatch', 'dispatches')} were lost, because the recorder\u2019s tables or the disk were too small (${runs}): weights are too ` +
            'low somewhere.',
        ]
      : seen.dispatches === 0 && lookup.report.guards.length > 0
        ? [
            'applied',
            `This is a recording of the optimised program (${runs}): its guards were counted, not its dispatches.`,
          ]
        : seen.dispatches === 0 && lookup.report.systemCalls.length > 0
          ? ['applied', `Nothing was dispatched; every system call at a watched place was counted (${runs}).`]
          : seen.dispatches === 0
            ? ['refused', `Nothing was dispatched (${runs}): there is nothing to rely on.`]
            : ['applied', `Nothing was lost: ${runs}.`];
  return [
    h('p', { class: `statement ${tone}` }, words),
    new Figure('What was recorded', graphic, () =>
      scrolling(
        'What was recorded',
        new Table({
          caption: 'What was recorded',
          rows: facts,
          columns: [
            { title: 'What', cell: (row) => row[0] },
            { title: 'Number', cell: (row) => count(row[1]), numeric: true },
            { title: 'Meaning', cell: (row) => row[2] },
          ],
        }).element,
      ),
    ).element,
  ];
}

function guardFigure(guards: Guard[]): HTMLElement {
  const link = (guard: Guard): HTMLElement =>
    h('a', { href: `#decision-${guard.decision}` }, `Decision ${guard.decision}`);
  const share = (guard: Guard): number => guard.hits / Math.max(1, guard.hits + guard.failures);
  const tested = guards.filter((guard) => guard.hits + guard.failures > 0);
  const list = h(
    'ul',
    { class: 'bars' },
    ...tested.map((guard) => {
      const bar = h('span', { class: 'bar applied' });
      bar.style.width = `${share(guard) * 100}%`;
      return h(
        'li',
        {},
        h('span', {}, link(guard), ' ', guard.event ?? ''),
        h('span', { 'class': 'track missed', 'aria-hidden': 'true' }, bar),
        h('span', { class: 'number' }, `held ${plural(guard.hits, 'time')}, ${percent(share(guard))}`),
        h('span', { class: 'muted' }, plural(guard.failures, 'failure')),
      );
    }),
  );
  const untested = guards.length - tested.length;
  const figure = h(
    'div',
    {},
    list,
    untested > 0 &&
      h(
        'p',
        { class: 'muted' },
        `${plural(untested, 'decision')} had no test of their own in this run: the word of the line around held them, or they did not run.`,
      ),
  );
  return new Figure('Guards', figure, () =>
    scrolling(
      'Guards',
      new Table<Guard>({
        caption: 'Guards: hits and failures',
        rows: guards,
        sortBy: 3,
        descending: true,
        columns: [
          { title: 'Decision', cell: link, sort: (guard) => guard.decision },
          { title: 'Event or layer', cell: (guard) => guard.event ?? '', sort: (guard) => guard.event ?? '' },
          { title: 'Hits', cell: (guard) => count(guard.hits), sort: (guard) => guard.hits, numeric: true },
          { title: 'Failures', cell: (guard) => count(guard.failures), sort: (guard) => guard.failures, numeric: true },
          { title: 'Share on the fast path', cell: (guard) => percent(share(guard)), sort: share, numeric: true },
        ],
      }).element,
    ),
  ).element;
}

function changes(lookup: Lookup): Child[] {
  const changed = lookup.report.events
    .map((event, index) => ({ ...event, index }))
    .filter((event) => event.bindingChanges > 0);
  if (changed.length === 0) return [h('p', {}, 'No event\u2019s bindings changed while the program ran.')];
  return [
    scrolling(
      'Bindings that changed',
      new Table({
        caption: 'Events whose bindings changed while the program ran',
        rows: changed,
        sortBy: 1,
        descending: true,
        columns: [
          {
            title: 'Event',
            cell: (event) => h('a', { href: `#event-${event.index}` }, event.name),
            sort: (event) => event.name,
          },
          {
            title: 'Changes',
            cell: (event) => count(event.bindingChanges),
            sort: (event) => event.bindingChanges,
            numeric: true,
          },
          { title: 'Raises', cell: (event) => count(event.raises), sort: (event) => event.raises, numeric: true },
        ],
      }).element,
    ),
  ];
}

function stale(lookup: Lookup): Child[] {
  if (!lookup.report.outcome) return [h('p', {}, 'Nothing was optimised yet, so no decision can be stale.')];
  const list = (lookup.report.decisions ?? []).filter((one) => lookup.stateOf(one) === 'stale');
  if (list.length === 0) return [h('p', {}, 'Every decision that the plan asked for was applied.')];
  return [
    scrolling(
      'Decisions not applied',
      new Table<Decision>({
        caption: 'Decisions that did not fit the program',
        rows: list,
        columns: [
          { title: 'Decision', cell: (one) => h('a', { href: `#decision-${one.id}` }, `Decision ${one.id}`) },
          { title: 'Event', cell: (one) => one.event },
          {
            title: 'What did not fit',
            cell: (one) => lookup.outcomeOf(one)?.reason || 'the optimised program does not mention it',
          },
        ],
      }).element,
    ),
  ];
}

// What nobody tests: the user's word instead of a guard.
function trusted(lookup: Lookup): Child {
  const decisions = (lookup.report.decisions ?? []).filter(
    (one) => one.apply && lookup.stateOf(one) !== 'stale' && one.facts.some((fact) => fact.trusted),
  );
  if (decisions.length === 0) return null;
  const facts = decisions.reduce((sum, one) => sum + one.facts.filter((fact) => fact.trusted).length, 0);
  return h(
    'p',
    { class: 'statement stale' },
    `${plural(facts, 'fact')} trusted, not tested: where one does not hold, the program does something else. `,
    ...decisions.map((one) => h('a', { href: `#layer-${one.id}` }, `Decision ${one.id} `)),
  );
}

function content(lookup: Lookup): Child[] {
  const { guards, recorded } = lookup.report;
  if (!recorded)
    return [
      h('p', { class: 'statement refused' }, 'Nothing was recorded: a user declared what is assumed here.'),
      trusted(lookup),
      h('h3', {}, 'Decisions not applied'),
      ...stale(lookup),
    ];
  return [
    ...coverage(lookup),
    trusted(lookup),
    guards.length > 0
      ? guardFigure(guards)
      : h(
          'div',
          {},
          h('h3', {}, 'Guards'),
          h(
            'p',
            {},
            'No guard was counted: this is a recording of the original program. Record the optimised one, and name that profile with --guards, to see its guards at work.',
          ),
        ),
    h('h3', {}, 'Bindings that changed'),
    ...changes(lookup),
    h('h3', {}, 'Decisions not applied'),
    ...stale(lookup),
  ];
}

export function trust(lookup: Lookup): Section {
  return { id: 'trust', title: 'Trust', lede: 'How far all this can be relied on.', content: content(lookup) };
}
