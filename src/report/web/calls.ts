// report: the system-call graph (paper cassyopia, section 2), its hottest sequences, and how often each call was made.
import { CallSequence, Lookup, Release, SystemCall, SystemCallEdge } from './data';
import { Child, count, duration, h, percent, placeText, plural } from './dom';
import { Figure } from './figure';
import { edgeList, facts, GraphPanel } from './graph_panel';
import type { Section } from './section';
import { scrolling, Table } from './table';

// Sequences beyond these are in the table only.
const mostSequences = 6;

// What ties a call to the one before it, the strongest first: it decides how the line is drawn.
const kinds: Record<string, string> = {
  data: 'uses its buffer or its result',
  adjacent: 'goes on where it ended',
  descriptor: 'same descriptor',
  order: 'nothing but the order',
};

function kindOf(edge: SystemCallEdge): string {
  if (edge.adjacent > 0) return 'adjacent';
  if (edge.sameBuffer > 0 || edge.resultIsSize > 0) return 'data';
  return edge.sameDescriptor > 0 ? 'descriptor' : 'order';
}

function ties(edge: SystemCallEdge): string {
  const words: [string, number][] = [
    ['same descriptor', edge.sameDescriptor],
    ['same buffer', edge.sameBuffer],
    ['result is size', edge.resultIsSize],
    ['adjacent', edge.adjacent],
  ];
  return words
    .filter(([, times]) => times > 0)
    .map(([name, times]) => (times < edge.weight ? `${name} ${percent(times / edge.weight)}` : name))
    .join(', ');
}

// The mean of what was timed.
function between(edge: SystemCallEdge | undefined): string | undefined {
  return edge && edge.betweenNs !== null ? duration(edge.betweenNs / edge.timed) : undefined;
}

function timeIn(one: SystemCall): string {
  return one.insideNs === null ? 'unknown' : duration(one.insideNs / one.timed);
}

function callPanel(lookup: Lookup): GraphPanel {
  const { systemCalls, systemCallEdges, sites } = lookup.report;
  const bySite = new Map(systemCalls.map((one) => [one.site, one]));
  const name = (site: number): string => lookup.callName(site);
  const panel: GraphPanel = new GraphPanel({
    id: 'call',
    title: 'System-call graph',
    nodeWord: 'call',
    edges: systemCallEdges
      .filter((edge) => bySite.has(edge.from) && bySite.has(edge.to))
      .map((edge) => ({
        from: edge.from,
        to: edge.to,
        kind: kindOf(edge),
        weight: edge.weight,
        note: between(edge),
      })),
    noteTitle: 'Own code between',
    kindTitle: 'Tied by',
    kinds,
    states: false,
    eta: lookup.report.graphs?.systemCalls.eta,
    nodes: systemCalls.map((one) => ({
      id: one.site,
      label: name(one.site),
      note: plural(one.calls, 'call'),
      state: 'none',
    })),
    describe: (site) => {
      const one = bySite.get(site)!;
      const near = panel.edgesOf(site);
      return [
        h('h4', {}, sites[site].callee ?? ''),
        facts(
          ['Calls', count(one.calls)],
          ['Errors', count(one.errors)],
          ['Ends of a file', count(one.zeros)],
          ['Fewer bytes than asked', count(one.shorts)],
          ['Bytes asked for', count(one.askedBytes)],
          ['Bytes given', count(one.givenBytes)],
          ['Time in it', timeIn(one) + (one.timed > 0 ? `, mean of ${count(one.timed)}` : '')],
          ['In', h('code', {}, sites[site].function)],
          ['At', h('code', {}, placeText(sites[site].place) || 'not known')],
        ),
        ...edgeList('Followed by', 'call', near.out, (edge) => edge.to, name, kinds),
        ...edgeList('Follows', 'call', near.in, (edge) => edge.from, name, kinds),
      ];
    },
  });
  return panel;
}

function sequences(lookup: Lookup, all: CallSequence[]): Child {
  const title = 'Hottest sequences';
  const edges = new Map(lookup.report.systemCallEdges.map((edge) => [`${edge.from} ${edge.to}`, edge]));
  const edge = (from: number, to: number): SystemCallEdge | undefined => edges.get(`${from} ${to}`);
  const step = (sites: number[], at: number): HTMLElement => {
    const time = at > 0 && between(edge(sites[at - 1], sites[at]));
    return h('li', {}, link(sites[at]), time && h('span', { class: 'muted' }, ` after ${time}`));
  };
  // Of one pass through it: unknown where a part of it is.
  const ownTime = ({ sites }: CallSequence): number | undefined => {
    const parts = sites.slice(1).map((to, at) => edge(sites[at], to));
    const known = parts.length > 0 && parts.every((one) => one && one.timed > 0);
    return known ? parts.reduce((sum, one) => sum + one!.betweenNs! / one!.timed, 0) : undefined;
  };
  const link = (site: number): HTMLElement => h('a', { href: `#call-${site}` }, lookup.callName(site));
  const picture = h(
    'div',
    { class: 'sequences' },
    ...all
      .slice(0, mostSequences)
      .map((one) =>
        h(
          'div',
          { class: 'sequence' },
          h(
            'p',
            {},
            h('strong', {}, count(one.weight)),
            h('span', { class: 'muted' }, ' times at least'),
            one.repeats > 0 && h('span', { class: 'muted' }, `, ${count(one.repeats)} of them again at once: a loop`),
          ),
          h('ol', { class: 'flow' }, ...one.sites.map((_, at) => step(one.sites, at))),
        ),
      ),
    all.length > mostSequences &&
      h('p', { class: 'muted' }, `and ${count(all.length - mostSequences)} more in the table.`),
  );
  return new Figure(title, picture, () =>
    scrolling(
      title,
      new Table<CallSequence>({
        caption: `${title}: ${count(all.length)}`,
        rows: all,
        sortBy: 1,
        descending: true,
        columns: [
          {
            title: 'Calls, in order',
            cell: (one) => one.sites.map((site) => lookup.callName(site)).join(' \u2192 '),
          },
          { title: 'Weight', cell: (one) => count(one.weight), sort: (one) => one.weight, numeric: true },
          { title: 'Repeated', cell: (one) => count(one.repeats), sort: (one) => one.repeats, numeric: true },
          {
            title: 'Own code in it',
            cell: (one) => (ownTime(one) === undefined ? 'unknown' : duration(ownTime(one)!)),
            sort: (one) => ownTime(one) ?? -1,
            numeric: true,
          },
        ],
      }).element,
    ),
  ).element;
}

function callTable(lookup: Lookup): HTMLElement {
  const number = (title: string, value: (one: SystemCall) => number) => ({
    title,
    cell: (one: SystemCall) => count(value(one)),
    sort: value,
    numeric: true,
  });
  return new Table<SystemCall>({
    caption: `System calls: ${plural(lookup.report.systemCalls.length, 'site')}`,
    rows: lookup.report.systemCalls,
    sortBy: 1,
    descending: true,
    columns: [
      {
        title: 'Call',
        cell: (one) => h('a', { href: `#call-${one.site}` }, lookup.callName(one.site)),
        sort: (one) => lookup.callName(one.site),
      },
      number('Calls', (one) => one.calls),
      number('Errors', (one) => one.errors),
      number('Ends', (one) => one.zeros),
      number('Short', (one) => one.shorts),
      number('Bytes asked', (one) => one.askedBytes),
      number('Bytes given', (one) => one.givenBytes),
      {
        title: 'Time in it',
        cell: timeIn,
        sort: (one) => (one.insideNs === null ? -1 : one.insideNs / one.timed),
        numeric: true,
      },
    ],
  }).element;
}

function tieTable(lookup: Lookup): HTMLElement {
  return new Table<SystemCallEdge>({
    caption: 'What ties calls together',
    rows: lookup.report.systemCallEdges,
    sortBy: 3,
    descending: true,
    columns: [
      { title: 'From', cell: (one) => lookup.callName(one.from), sort: (one) => lookup.callName(one.from) },
      { title: 'To', cell: (one) => lookup.callName(one.to), sort: (one) => lookup.callName(one.to) },
      { title: 'Tied by', cell: ties, sort: ties },
      { title: 'Weight', cell: (one) => count(one.weight), sort: (one) => one.weight, numeric: true },
      {
        title: 'Own code between',
        cell: (one) => between(one) ?? 'unknown',
        sort: (one) => (one.betweenNs === null ? -1 : one.betweenNs / one.timed),
        numeric: true,
      },
      {
        title: 'Shortest',
        cell: (one) => (one.leastNs === null ? 'unknown' : duration(one.leastNs)),
        sort: (one) => one.leastNs ?? -1,
        numeric: true,
      },
      { title: 'Timed', cell: (one) => count(one.timed), sort: (one) => one.timed, numeric: true },
    ],
  }).element;
}

function releaseTable(lookup: Lookup): HTMLElement {
  return new Table<Release>({
    caption: 'Large blocks of memory: who gave them, and where they are given back',
    rows: lookup.report.releases,
    sortBy: 2,
    descending: true,
    columns: [
      { title: 'Given by', cell: (one) => lookup.callName(one.from), sort: (one) => lookup.callName(one.from) },
      { title: 'Given back by', cell: (one) => lookup.callName(one.to), sort: (one) => lookup.callName(one.to) },
      { title: 'Times', cell: (one) => count(one.count), sort: (one) => one.count, numeric: true },
    ],
  }).element;
}

function callContent(lookup: Lookup): Child[] {
  const { callTimes, graphs, releases, systemCallEdges } = lookup.report;
  const all = graphs?.systemCalls.sequences ?? [];
  return [
    h('p', { class: 'muted' }, callTimes),
    all.length > 0 && sequences(lookup, all),
    scrolling('System calls', callTable(lookup)),
    systemCallEdges.length > 0 && scrolling('What ties calls together', tieTable(lookup)),
    releases.length > 0 && scrolling('Large blocks of memory', releaseTable(lookup)),
  ];
}

export function calls(lookup: Lookup): Section | null {
  const { recorded, systemCalls } = lookup.report;
  if (!recorded || systemCalls.length === 0) return null;
  const graph = callPanel(lookup);
  return {
    id: 'calls',
    title: 'System calls',
    lede:
      'Which call into the kernel immediately followed which, how often, and what ties the two together: a line that ' +
      'stands for the order alone is one that could be another way round.',
    content: [graph.element, ...callContent(lookup)],
    isPage: true,
    start: () => graph.start(),
    word: 'call',
    select: (number) => (number === null || systemCalls.some((one) => one.site === number)) && graph.select(number),
  };
}
