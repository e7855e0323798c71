// report: every decision and every refusal with its reason, sortable and filterable, each leading to its event.
import { Decision, Lookup, State, stateWord } from './data';
import { amount, Child, count, counted, h, percent, placeText, plural } from './dom';
import type { Section } from './section';
import { scrolling, Table } from './table';

function eventCell(lookup: Lookup, decision: Decision): Child[] {
  const index = lookup.eventIndex(decision.event);
  const href = decision.ofFunction
    ? lookup.hasLayer(decision) && `#layer-${decision.id}`
    : index !== undefined && `#event-${index}`;
  const words = decision.ofFunction ? decision.site.function : decision.event;
  const name = href ? h('a', { href }, words) : h('span', {}, words);
  const place = placeText(decision.site.place);
  return [
    h('div', { class: 'event-name' }, name),
    h('div', { class: 'muted' }, decision.does),
    h('code', { class: 'place' }, place || decision.site.function),
  ];
}

function whyCell(lookup: Lookup, decision: Decision): Child[] {
  const outcome = lookup.outcomeOf(decision);
  const targets = h(
    'ol',
    { class: 'handlers' },
    ...decision.targets.map((target) =>
      h(
        'li',
        { title: target.fullFunction },
        target.function,
        target.context ? h('span', { class: 'muted' }, ` on ${target.context}`) : null,
      ),
    ),
  );
  return [
    h('p', { class: 'reason' }, decision.reason || 'no reason is given'),
    lookup.stateOf(decision) === 'stale' &&
      h(
        'p',
        { class: 'reason stale' },
        'Not applied: ',
        outcome?.reason || 'the optimised program does not mention it',
      ),
    lookup.stateOf(decision) === 'applied' && outcome?.reason && h('p', { class: 'muted' }, outcome.reason),
    decision.remedy && h('p', { class: 'muted' }, `What helps: ${decision.remedy}.`),
    decision.guard && h('p', { class: 'guard' }, h('span', { class: 'muted' }, 'Guard: '), decision.guard),
    decision.targets.length > 0 &&
      h('details', {}, h('summary', {}, plural(decision.targets.length, 'handler')), targets),
    decision.facts.length > 0 &&
      h(
        'details',
        {},
        h('summary', {}, plural(decision.facts.length, 'fact')),
        h('ul', { class: 'handlers' }, ...decision.facts.map((fact) => h('li', {}, h('code', {}, fact.text)))),
      ),
  ];
}

// Of what a user declared nobody has counted how often it runs.
function declared(decision: Decision): boolean {
  return decision.ofFunction && decision.weight === 0;
}

function columns(lookup: Lookup): ConstructorParameters<typeof Table<Decision>>[0]['columns'] {
  return [
    { title: '#', cell: (one) => one.id, sort: (one) => one.id, className: 'id' },
    {
      title: 'Decision',
      className: 'verdict',
      sort: (one) => lookup.stateOf(one),
      cell: (one) => [
        h('span', { class: `badge ${lookup.stateOf(one)}` }, stateWord[lookup.stateOf(one)]),
        one.refusal && h('div', { class: 'muted' }, one.refusal),
      ],
    },
    { title: 'Event and place', cell: (one) => eventCell(lookup, one), sort: (one) => one.event, className: 'event' },
    { title: 'Why, and under which guard', cell: (one) => whyCell(lookup, one), className: 'why' },
    {
      title: 'Runs',
      numeric: true,
      sort: (one) => one.weight,
      cell: (one) => [
        declared(one) ? '\u2013' : counted(one.weight, one.weightError),
        h('div', { class: 'muted' }, declared(one) ? 'not counted' : percent(one.share)),
      ],
    },
    {
      title: 'Predicted gain',
      numeric: true,
      sort: (one) => one.gainMs,
      cell: (one) =>
        declared(one)
          ? '\u2013'
          : [`${amount(one.gainMs)} ms`, h('div', { class: 'muted' }, `${amount(one.gainNs)} ns each`)],
    },
    {
      title: 'Growth',
      numeric: true,
      sort: (one) => lookup.outcomeOf(one)?.growth ?? one.growth,
      cell: (one) => {
        const made = lookup.outcomeOf(one);
        return [
          count(made?.applied ? made.growth : one.growth),
          h('div', { class: 'muted' }, made?.applied ? 'instructions' : 'estimated'),
        ];
      },
    },
  ];
}

class Opportunities {
  readonly content: Child[];
  private readonly search = h('input', { type: 'search', id: 'find', input: () => this.filter() });
  private readonly state = h('select', { id: 'state', change: () => this.filter() }, h('option', { value: '' }, 'all'));
  private readonly refusal = h(
    'select',
    { id: 'refusal', change: () => this.filter() },
    h('option', { value: '' }, 'any'),
  );
  private readonly said = h('p', { class: 'muted', role: 'status' });
  private readonly table: Table<Decision>;
  private readonly texts = new Map<Decision, string>();
  private readonly decisions: Decision[];

  constructor(private readonly lookup: Lookup) {
    this.decisions = lookup.report.decisions ?? [];
    for (const one of this.decisions)
      this.texts.set(
        one,
        [
          one.event,
          one.reason,
          one.guard,
          one.refusal,
          placeText(one.site.place),
          one.site.function,
          one.does,
          lookup.outcomeOf(one)?.reason ?? '',
          ...one.targets.map((target) => target.fullFunction),
        ]
          .join('\n')
          .toLowerCase(),
      );
    for (const state of ['applied', 'planned', 'stale', 'refused'] as State[])
      if (this.decisions.some((one) => lookup.stateOf(one) === state))
        this.state.append(h('option', { value: state }, stateWord[state]));
    for (const name of [...new Set(this.decisions.map((one) => one.refusal).filter((name) => name !== ''))].sort())
      this.refusal.append(h('option', { value: name }, name));
    this.table = new Table<Decision>({
      caption: 'Decisions and refusals',
      rows: this.decisions,
      columns: columns(lookup),
      sortBy: 0,
      rowId: (one) => `decision-${one.id}`,
      empty: 'No decision fits these filters.',
    });
    this.table.element.classList.add('decisions');
    this.content =
      this.decisions.length === 0
        ? [this.nothing()]
        : [this.filters(), this.said, scrolling('Decisions and refusals', this.table.element)];
    this.filter();
  }

  // A decision that a link leads to is shown even if the filters hide it just now.
  select(id: number): void {
    const decision = this.decisions.find((one) => one.id === id);
    if (!decision) return;
    if (!this.table.reveal(decision)) {
      this.search.value = this.state.value = this.refusal.value = '';
      this.filter();
      this.table.reveal(decision);
    }
    const row = document.getElementById(`decision-${id}`)!;
    row.setAttribute('tabindex', '-1');
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'center' });
  }

  private nothing(): HTMLElement {
    return h(
      'p',
      { class: 'nothing' },
      this.lookup.report.decisions
        ? 'The plan holds no decision: nothing was found that runs ' + 'the same handlers again and again.'
        : 'No plan was made from this profile yet. ',
      !this.lookup.report.decisions && h('code', {}, 'thalweg plan'),
      !this.lookup.report.decisions && ' makes one.',
    );
  }

  private filters(): HTMLElement {
    return h(
      'div',
      { 'class': 'filters', 'role': 'search', 'aria-label': 'Filter decisions' },
      h('label', { for: 'find' }, 'Find'),
      this.search,
      h('label', { for: 'state' }, 'Show'),
      this.state,
      this.refusal.options.length > 1 && h('label', { for: 'refusal' }, 'Refused as'),
      this.refusal.options.length > 1 && this.refusal,
    );
  }

  private filter(): void {
    const words = this.search.value.trim().toLowerCase();
    const rows = this.decisions.filter(
      (one) =>
        this.texts.get(one)!.includes(words) &&
        (this.state.value === '' || this.lookup.stateOf(one) === this.state.value) &&
        (this.refusal.value === '' || one.refusal === this.refusal.value),
    );
    this.table.show(rows);
    this.said.textContent = `${count(rows.length)} of ${plural(this.decisions.length, 'decision')}`;
  }
}

export function opportunities(lookup: Lookup): Section {
  const shown = new Opportunities(lookup);
  return {
    id: 'opportunities',
    title: 'Opportunities',
    lede: 'Every decision and every refusal, with its reason, its place, its guard and what it is predicted to gain.',
    content: shown.content,
    word: 'decision',
    select: (number) => number !== null && shown.select(number),
  };
}
