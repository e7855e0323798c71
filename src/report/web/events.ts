// report: the event graph, and what is known of the event that was chosen in it.
import { EventKind, EventPath, Lookup, Mode, stateWord } from './data';
import { Child, count, counted, h, percent, plural } from './dom';
import { Figure } from './figure';
import { edgeList, facts, GraphPanel } from './graph_panel';
import type { Section } from './section';
import { scrolling, Table } from './table';

// Paths beyond these are in the table only.
const mostPaths = 6;

function handlers(lookup: Lookup, index: number): Child[] {
  const sequences = lookup.report.sequences
    .filter((sequence) => sequence.event === index)
    .sort((a, b) => b.count - a.count);
  if (sequences.length === 0) return [];
  const first = sequences[0];
  const all = sequences.reduce((sum, sequence) => sum + sequence.count, 0);
  const list = h(
    'ol',
    { class: 'handlers' },
    ...first.targets.map((target) =>
      h('li', { title: lookup.fullName(target.function) }, lookup.symbolName(target.function)),
    ),
  );
  const others = sequences.length - 1;
  return [
    h('h5', {}, 'Handlers'),
    list,
    h(
      'p',
      { class: 'muted' },
      `in this order in ${percent(first.count / Math.max(1, all))} of ` + 'what was recorded',
      others > 0 && ['; ', plural(others, 'other sequence')].join(''),
      '.',
    ),
  ];
}

function decisionLinks(lookup: Lookup, event: string): Child[] {
  const decisions = lookup.decisionsOf(event);
  if (decisions.length === 0) return [];
  return [
    h('h5', {}, 'Decisions'),
    h(
      'ul',
      { class: 'plain' },
      ...decisions.map((decision) => {
        const state = lookup.stateOf(decision);
        return h(
          'li',
          {},
          h('a', { href: `#decision-${decision.id}` }, `Decision ${decision.id}`),
          ' ',
          h('span', { class: `badge ${state}` }, stateWord[state]),
          h('p', { class: 'muted' }, decision.reason),
        );
      }),
    ),
  ];
}

const eventKinds: Record<EventKind, string> = {
  event: 'event of the runtime',
  list: 'list of callbacks',
  trigger: 'event of tamed functions, triggered; made at this place',
  wait: 'place where a coroutine waits, and goes on',
};

const kinds: Record<Mode, string> = {
  sync: 'synchronous',
  async: 'asynchronous',
  timed: 'timed',
  external: 'from outside',
};

// Where an edge leads on in an event chain (paper 000, section 3.2.1), "from to".
function chainSteps(lookup: Lookup): Set<string> {
  const steps = new Set<string>();
  for (const { events } of lookup.report.graphs?.chains ?? [])
    for (let at = 0; at + 1 < events.length; at++) steps.add(`${events[at]} ${events[at + 1]}`);
  return steps;
}

function eventPanel(lookup: Lookup): GraphPanel {
  const { events, graphs } = lookup.report;
  const chained = chainSteps(lookup);
  const edges = lookup.report.edges.map(({ from, to, mode, weight, error }) => ({
    from,
    to,
    kind: mode,
    weight,
    error,
    strong: mode === 'sync' && chained.has(`${from} ${to}`),
  }));
  const name = (index: number): string => events[index].name;
  const panel: GraphPanel = new GraphPanel({
    id: 'event',
    title: 'Event graph',
    nodeWord: 'event',
    edges,
    kindTitle: 'Raised',
    kinds,
    states: true,
    strong: 'event chain',
    eta: graphs?.eta,
    nodes: events.map((event, id) => ({
      id,
      label: event.name,
      note: `${event.error === 0 ? '' : '~'}${plural(event.raises, 'raise')}`,
      state: lookup.stateOfEvent(event.name),
    })),
    describe: (index) => {
      const event = events[index];
      const near = panel.edgesOf(index);
      return [
        h('h4', {}, event.name),
        facts(
          ['Raises', counted(event.raises, event.error)],
          ['Bindings changed', count(event.bindingChanges)],
          ['Kind', eventKinds[event.kind]],
        ),
        ...edgeList('Followed by', 'event', near.out, (edge) => edge.to, name, kinds),
        ...edgeList('Follows', 'event', near.in, (edge) => edge.from, name, kinds),
        ...handlers(lookup, index),
        ...decisionLinks(lookup, event.name),
      ];
    },
  });
  return panel;
}

function pathFigure(title: string, lookup: Lookup, paths: EventPath[]): HTMLElement {
  const sorted = [...paths].sort((a, b) => b.weight - a.weight);
  const link = (event: number): HTMLElement => h('a', { href: `#event-${event}` }, lookup.eventName(event));
  const picture = h(
    'div',
    { class: 'sequences' },
    ...sorted
      .slice(0, mostPaths)
      .map((path) =>
        h(
          'div',
          { class: 'sequence' },
          h(
            'p',
            {},
            h('strong', {}, counted(path.weight, path.error)),
            h('span', { class: 'muted' }, ' times at least'),
          ),
          h('ol', { class: 'flow' }, ...path.events.map((event) => h('li', {}, link(event)))),
        ),
      ),
    sorted.length > mostPaths &&
      h('p', { class: 'muted' }, `and ${count(sorted.length - mostPaths)} more in the table.`),
  );
  return new Figure(title, picture, () =>
    scrolling(
      title,
      new Table<EventPath>({
        caption: `${title}: ${count(paths.length)}`,
        rows: sorted,
        sortBy: 1,
        descending: true,
        columns: [
          {
            title: 'Events, in order',
            cell: (path) => path.events.map((event) => lookup.eventName(event)).join(' \u2192 '),
          },
          {
            title: 'Weight',
            cell: (path) => counted(path.weight, path.error),
            sort: (path) => path.weight,
            numeric: true,
          },
          {
            title: 'Events',
            cell: (path) => count(path.events.length),
            sort: (path) => path.events.length,
            numeric: true,
          },
        ],
      }).element,
    ),
  ).element;
}

// Event chains and event paths, where the graphs were built.
function eventPaths(lookup: Lookup): Child[] {
  const { graphs } = lookup.report;
  if (!graphs) return [];
  return [
    graphs.chains.length > 0 && pathFigure('Event chains', lookup, graphs.chains),
    graphs.paths.length > 0 && pathFigure(`Event paths of weight ${count(graphs.eta)}`, lookup, graphs.paths),
  ];
}

export function events(lookup: Lookup): Section | null {
  const { events, recorded } = lookup.report;
  if (!recorded) return null;
  const graph = eventPanel(lookup);
  const nothing = h('p', { class: 'nothing' }, 'No event was raised while this program was recorded.');
  return {
    id: 'events',
    title: 'Event graph',
    lede:
      'Which event immediately followed which, and how often. Raise the threshold \u03b7, and edges below it vanish: ' +
      'what stays is the reduced event graph, whose paths are worth compiling straight.',
    content: [events.length > 0 ? graph.element : nothing, ...eventPaths(lookup)],
    start: () => events.length > 0 && graph.start(),
    word: 'event',
    select: (number) => (number === null || number < events.length) && graph.select(number),
  };
}
