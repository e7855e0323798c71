// report: the handler graph, and the handler sequences of each event with the events nested in them.
import { Lookup, Nesting, Sequence, Step } from './data';
import { amount, Child, count, counted, h, percent, placeText, plural, replace } from './dom';
import { Figure } from './figure';
import { edgeList, facts, GraphPanel } from './graph_panel';
import type { Section } from './section';
import { scrolling, Table } from './table';

// Sequences beyond these ran so rarely that they are in the table only.
const mostSequences = 8;

const kinds: Record<Step, string> = {
  next: 'next of the same event',
  raised: 'raised inside',
  returned: 'after what was raised inside',
};

function placeWords(lookup: Lookup, sequence: Sequence): string {
  if (sequence.site === null) return 'an unknown place';
  const site = lookup.report.sites[sequence.site];
  return placeText(site.place) || site.function;
}

function names(lookup: Lookup, sequence: Sequence): string[] {
  const list = sequence.targets.map((target) => lookup.symbolName(target.function));
  return sequence.truncated ? [...list, '\u2026 (longer than was kept)'] : list;
}

// What the handler at `position` raised, drawn inside it: the proper nesting that subsumption rests on.
function nested(lookup: Lookup, event: number, position: number, handler: number | null): Child {
  const inside = lookup.nestingsIn(event, position, handler);
  if (inside.length === 0) return null;
  const often = (one: Nesting): string =>
    one.perActivation === null
      ? `${counted(one.count, one.error)} times`
      : `${amount(one.perActivation)} a run, ${counted(one.count, one.error)} times`;
  return h(
    'ul',
    { class: 'nested' },
    ...inside.map((one) =>
      h(
        'li',
        {},
        'raises ',
        one.childEvent === null
          ? 'unknown event'
          : h('a', { href: `#event-${one.childEvent}` }, lookup.eventName(one.childEvent)),
        h(
          'span',
          { class: 'muted' },
          ` ${one.mode === 'sync' ? '' : `${one.mode}, `}${often(one)}${one.chain ? ', a chain' : ''}`,
        ),
      ),
    ),
  );
}

function picture(lookup: Lookup, event: number, sequences: Sequence[]): HTMLElement {
  const all = Math.max(
    1,
    sequences.reduce((sum, sequence) => sum + sequence.count, 0),
  );
  return h(
    'div',
    { class: 'sequences' },
    ...sequences.slice(0, mostSequences).map((sequence) => {
      const bar = h('span', { class: 'bar' });
      bar.style.width = `${(sequence.count / all) * 100}%`;
      const list = h(
        'ol',
        { class: 'flow' },
        ...sequence.targets.map((target, position) =>
          h(
            'li',
            {},
            h(
              'span',
              { class: 'handler', title: lookup.fullName(target.function) },
              lookup.symbolName(target.function),
            ),
            nested(lookup, event, position, target.function),
          ),
        ),
      );
      if (sequence.truncated) list.append(h('li', { class: 'muted' }, '\u2026 longer than was kept'));
      return h(
        'div',
        { class: 'sequence' },
        h(
          'p',
          {},
          h('strong', {}, percent(sequence.count / all)),
          h(
            'span',
            { class: 'muted' },
            ` ${counted(sequence.count, sequence.error)} ${sequence.count === 1 ? 'time' : 'times'} at `,
          ),
          h('code', { class: 'place' }, placeWords(lookup, sequence)),
        ),
        h('span', { 'class': 'track', 'aria-hidden': 'true' }, bar),
        sequence.targets.length > 0 ? list : h('p', { class: 'muted' }, 'no handler was bound'),
      );
    }),
    sequences.length > mostSequences &&
      h('p', { class: 'muted' }, `and ${plural(sequences.length - mostSequences, 'rarer sequence')} in the table.`),
  );
}

function twin(lookup: Lookup, event: number, sequences: Sequence[]): HTMLElement {
  return scrolling(
    'Handler sequences',
    new Table({
      caption: `Handler sequences of ${lookup.eventName(event)}`,
      rows: sequences,
      sortBy: 2,
      descending: true,
      columns: [
        { title: 'Handlers, in order', cell: (sequence) => names(lookup, sequence).join(' \u2192 ') || 'none' },
        { title: 'Raised at', cell: (sequence) => placeWords(lookup, sequence) },
        {
          title: 'Times',
          cell: (sequence) => counted(sequence.count, sequence.error),
          sort: (sequence) => sequence.count,
          numeric: true,
        },
        {
          title: 'Raised inside',
          cell: (sequence) =>
            sequence.targets
              .flatMap((target, position) =>
                lookup
                  .nestingsIn(event, position, target.function)
                  .map(
                    (one) =>
                      `${lookup.eventName(one.childEvent)} in handler ${position + 1} (${counted(one.count, one.error)})`,
                  ),
              )
              .join(', '),
        },
      ],
    }).element,
  );
}

class Handlers {
  readonly content: Child[];
  private readonly chooser = h('select', { id: 'sequences-of', change: () => this.show(Number(this.chooser.value)) });
  private readonly place = h('div');
  private readonly graph: GraphPanel | null;

  constructor(private readonly lookup: Lookup) {
    const { events, sequences, graphs } = lookup.report;
    const having = [
      ...new Set(sequences.map((sequence) => sequence.event).filter((event): event is number => event !== null)),
    ].sort((a, b) => events[b].raises - events[a].raises);
    for (const event of having) this.chooser.append(h('option', { value: event }, events[event].name));
    if (having.length > 0) this.show(having[0]);
    this.graph = graphs && graphs.handlers.nodes.length > 0 ? this.handlerPanel() : null;
    this.content =
      having.length === 0
        ? [h('p', { class: 'nothing' }, 'No handler ran while this program was recorded.')]
        : [
            this.graph?.element,
            h('div', { class: 'filters' }, h('label', { for: 'sequences-of' }, 'Handler sequences of'), this.chooser),
            this.place,
          ];
  }

  start(): void {
    this.graph?.start();
  }
  select(node: number | null): void {
    this.graph?.select(node);
  }

  private show(event: number): void {
    const sequences = this.lookup.report.sequences
      .filter((sequence) => sequence.event === event)
      .sort((a, b) => b.count - a.count);
    replace(
      this.place,
      new Figure(`Handlers of ${this.lookup.eventName(event)}`, picture(this.lookup, event, sequences), () =>
        twin(this.lookup, event, sequences),
      ).element,
    );
  }

  private handlerPanel(): GraphPanel {
    const { nodes, edges } = this.lookup.report.graphs!.handlers;
    const name = (index: number): string => this.lookup.symbolName(nodes[index].function);
    const panel: GraphPanel = new GraphPanel({
      id: 'handler',
      title: 'Handler graph',
      nodeWord: 'handler',
      kindTitle: 'How',
      kinds,
      states: true,
      nodes: nodes.map((node, id) => ({
        id,
        label: name(id),
        note: this.lookup.eventName(node.event),
        state: this.lookup.stateOfEvent(this.lookup.eventName(node.event)),
      })),
      edges: edges.map(({ from, to, step, weight, error }) => ({ from, to, kind: step, weight, error })),
      describe: (index) => {
        const symbol = nodes[index].function === null ? null : this.lookup.report.symbols[nodes[index].function!];
        const near = panel.edgesOf(index);
        const fullName = this.lookup.fullName(nodes[index].function);
        return [
          h('h4', {}, name(index)),
          fullName !== name(index) && h('p', { class: 'hint' }, h('code', {}, fullName)),
          facts(
            [
              'Event',
              nodes[index].event === null
                ? 'unknown'
                : h('a', { href: `#event-${nodes[index].event}` }, this.lookup.eventName(nodes[index].event)),
            ],
            ['Instructions', symbol ? count(symbol.instructions) : 'unknown'],
            ['Code', symbol?.hasBody ? 'can be merged' : 'opaque: called directly at best'],
          ),
          ...edgeList('Followed by', 'handler', near.out, (edge) => edge.to, name, kinds),
          ...edgeList('Follows', 'handler', near.in, (edge) => edge.from, name, kinds),
        ];
      },
    });
    return panel;
  }
}

export function handlers(lookup: Lookup): Section | null {
  const { graphs, recorded } = lookup.report;
  if (!recorded) return null;
  const shown = new Handlers(lookup);
  return {
    id: 'handlers',
    title: 'Handlers',
    lede: 'What runs when an event is raised, in order, and which events are raised inside.',
    content: shown.content,
    start: () => shown.start(),
    word: 'handler',
    select: (number) => (number === null || number < (graphs?.handlers.nodes.length ?? 0)) && shown.select(number),
  };
}
