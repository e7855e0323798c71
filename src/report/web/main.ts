// report: builds the page from the data that it carries, and follows links between its parts.
import { comparison } from './comparison';
import { callContent, callPanel } from './calls';
import { Lookup, Report } from './data';
import { add, Child, h, svg } from './dom';
import { eventPanel, eventPaths } from './events';
import type { GraphPanel } from './graph_panel';
import { Handlers } from './handlers';
import { layers } from './layers';
import { Opportunities } from './opportunities';
import { overview } from './overview';
import { dataVersion } from './recorded';
import { themeChooser } from './theme';
import { trust } from './trust';

function read(): Report {
  const report = JSON.parse(document.getElementById('data')!.textContent ?? '') as Report;
  if (report.version !== dataVersion)
    throw new Error(`data of version ${report.version}, page of version ${dataVersion}`);
  return report;
}

function emblem(): Node {
  return svg(
    'svg',
    { 'class': 'emblem', 'viewBox': '0 0 36 36', 'aria-hidden': 'true' },
    svg('path', { class: 'river', d: 'M18,2C4,8 32,13 18,18C4,23 32,28 18,34' }),
    svg('path', { class: 'line', d: 'M18,2V34' }),
  );
}

function section(id: string, title: string, lede: string, ...content: Child[]): HTMLElement {
  return h(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    h('h2', { id: `${id}-title`, tabindex: -1 }, title),
    lede && h('p', { class: 'lede' }, lede),
    ...content,
  );
}

function followScroll(links: Map<string, HTMLAnchorElement>, sections: HTMLElement[]): void {
  const visible = new Set<string>();
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) visible[entry.isIntersecting ? 'add' : 'delete'](entry.target.id);
      const current = sections.find((one) => visible.has(one.id))?.id;
      for (const [id, link] of links) {
        if (id === current) link.setAttribute('aria-current', 'true');
        else link.removeAttribute('aria-current');
      }
    },
    { rootMargin: '-20% 0px -60% 0px' },
  );
  for (const one of sections) watcher.observe(one);
}

// System calls are a page of their own in the same file: it is shown, and nothing else, while the link says so.
const ownPage = 'calls';

function showPage(main: HTMLElement): boolean {
  const alone = /^#call(s|-\d+)$/.test(location.hash) && main.querySelector(`#${ownPage}`) !== null;
  const changes = main.classList.contains('alone') !== alone;
  main.classList.toggle('alone', alone);
  return changes;
}

interface Parts {
  lookup: Lookup;
  calls: GraphPanel;
  graph: GraphPanel;
  handlers: Handlers;
  opportunities: Opportunities;
}

// What a recorded run has shown.
function recordedSections({ lookup, graph, handlers, calls }: Parts): HTMLElement[] {
  const nothing = h('p', { class: 'nothing' }, 'No event was raised while this program was recorded.');
  return [
    section(
      'events',
      'Event graph',
      'Which event immediately followed which, and how often. Raise the threshold \u03b7, and edges below it vanish: ' +
        'what stays is the reduced event graph, whose paths are worth compiling straight.',
      lookup.report.events.length > 0 ? graph.element : nothing,
      ...eventPaths(lookup),
    ),
    section(
      'handlers',
      'Handlers',
      'What runs when an event is raised, in order, and which events are raised inside.',
      ...handlers.content,
    ),
    ...(lookup.report.systemCalls.length > 0
      ? [
          section(
            'calls',
            'System calls',
            'Which call into the kernel immediately followed which, how often, and what ties the two together: a line that ' +
              'stands for the order alone is one that could be another way round.',
            calls.element,
            ...callContent(lookup),
          ),
        ]
      : []),
  ];
}

function sections(parts: Parts): HTMLElement[] {
  const { lookup, opportunities } = parts;
  const layered = layers(lookup);
  return [
    section('overview', 'Overview', '', ...overview(lookup)),
    ...(lookup.report.recorded ? recordedSections(parts) : []),
    section(
      'opportunities',
      'Opportunities',
      'Every decision and every refusal, with its reason, its place, its guard and what it is predicted to gain.',
      ...opportunities.content,
    ),
    ...(layered.length > 0
      ? [
          section(
            'layers',
            'Layers',
            'What became of each line of a specialised function and of the layers below it. Where something is known at run ' +
              'time only, the reason stands beside the line: a fact about it would help.',
            ...layered,
          ),
        ]
      : []),
    section('comparison', 'Comparison', '', ...comparison(lookup)),
    section('trust', 'Trust', 'How far all this can be relied on.', ...trust(lookup)),
  ];
}

// Links into the page name an event, a handler or a decision by its number: #event-3.
function followLinks({ lookup, graph, handlers, calls, opportunities }: Parts, main: HTMLElement): void {
  let isPlaced = false;
  const follow = (): void => {
    const changes = showPage(main);
    // Only now that it stands in the page, the drawing knows its size.
    if (main.classList.contains('alone') && !isPlaced) {
      isPlaced = true;
      calls.start();
    }
    // What was not shown when the link was followed could not be gone to.
    if (changes && location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
    const [, part, digits] = /^#(event|handler|call|decision)-(\d+)$/.exec(location.hash) ?? [];
    const number = Number(digits);
    if (location.hash === '#events') graph.select(null);
    if (location.hash === '#handlers') handlers.select(null);
    if (location.hash === '#calls') calls.select(null);
    if (part === 'call' && lookup.report.systemCalls.some((one) => one.site === number)) calls.select(number);
    if (part === 'event' && number < lookup.report.events.length) graph.select(number);
    if (part === 'handler' && number < (lookup.report.graphs?.handlers.nodes.length ?? 0)) handlers.select(number);
    if (part === 'decision') opportunities.select(number);
  };
  window.addEventListener('hashchange', follow);
  follow();
}

function main(): void {
  const lookup = new Lookup(read());
  const parts: Parts = {
    lookup,
    graph: eventPanel(lookup),
    handlers: new Handlers(lookup),
    calls: callPanel(lookup),
    opportunities: new Opportunities(lookup),
  };
  const { program } = lookup.report;
  const name = program.path.split('/').pop() || 'a program';
  document.title = `${name}: Thalweg report`;

  const content = sections(parts);
  const links = new Map(
    content.map((one) => [one.id, h('a', { href: `#${one.id}` }, one.querySelector('h2')!.textContent)]),
  );
  const main = h('main', {}, ...content);
  main.querySelector(`#${ownPage}`)?.classList.add('own-page');
  const title = h('div', {}, h('p', { class: 'product' }, 'Thalweg report'), h('h1', { title: program.path }, name));
  const promise = 'One file, no network. A profile is a hint: the original code stays and runs whenever a guard fails.';
  add(document.getElementById('report')!, [
    h('a', { class: 'skip', href: '#overview' }, 'Skip to the report'),
    h('header', {}, emblem(), title, themeChooser()),
    h('nav', { 'aria-label': 'Parts of the report' }, ...links.values()),
    main,
    h('footer', {}, promise),
  ]);

  // Only now that they stand in the page, the drawings know their size.
  if (lookup.report.events.length > 0) parts.graph.start();
  parts.handlers.start();
  followScroll(links, content);
  followLinks(parts, main);
}

main();
