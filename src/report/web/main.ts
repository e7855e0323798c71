// report: builds the page from the data that it carries, and follows links between its parts.
import { comparison } from './comparison';
import { calls } from './calls';
import { Lookup, Report } from './data';
import { add, h, svg } from './dom';
import { events } from './events';
import { handlers } from './handlers';
import { layers } from './layers';
import { library } from './library';
import { opportunities } from './opportunities';
import { overview } from './overview';
import { dataVersion } from './recorded';
import { element, MakeSection, Section } from './section';
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

// In the order in which they stand in the page.
const makers: MakeSection[] = [overview, events, handlers, calls, library, opportunities, layers, comparison, trust];

// What a link goes to: a section, and of what it shows one or nothing.
function target(sections: Section[], hash: string): { section?: Section; number: number | null } {
  const whole = sections.find(({ id }) => hash === `#${id}`);
  if (whole) return { section: whole, number: null };
  const [, word, digits] = /^#([a-z]+)-(\d+)$/.exec(hash) ?? [];
  return { section: sections.find((one) => one.word !== undefined && one.word === word), number: Number(digits) };
}

function followLinks(sections: Section[], main: HTMLElement): void {
  const started = new Set<Section>();
  const start = (section: Section): void => {
    if (started.has(section)) return;
    started.add(section);
    section.start?.();
  };
  const follow = (): void => {
    const { section, number } = target(sections, location.hash);
    const alone = section?.isPage === true;
    const changes = main.classList.contains('alone') !== alone;
    main.classList.toggle('alone', alone);
    for (const one of sections) if ((one.isPage === true) === alone) start(one);
    // What was not shown when the link was followed could not be gone to.
    if (changes && location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
    section?.select?.(number);
  };
  window.addEventListener('hashchange', follow);
  follow();
}

function main(): void {
  const lookup = new Lookup(read());
  const { program } = lookup.report;
  const name = program.path.split('/').pop() || 'a program';
  document.title = `${name}: Thalweg report`;

  const sections = makers.map((make) => make(lookup)).filter((one): one is Section => one !== null);
  const content = sections.map(element);
  const links = new Map(
    content.map((one) => [one.id, h('a', { href: `#${one.id}` }, one.querySelector('h2')!.textContent)]),
  );
  const main = h('main', {}, ...content);
  const title = h('div', {}, h('p', { class: 'product' }, 'Thalweg report'), h('h1', { title: program.path }, name));
  const promise = 'One file, no network. A profile is a hint: the original code stays and runs whenever a guard fails.';
  add(document.getElementById('report')!, [
    h('a', { class: 'skip', href: '#overview' }, 'Skip to the report'),
    h('header', {}, emblem(), title, themeChooser()),
    h('nav', { 'aria-label': 'Parts of the report' }, ...links.values()),
    main,
    h('footer', {}, promise),
  ]);

  followScroll(links, content);
  followLinks(sections, main);
}

main();
