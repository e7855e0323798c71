// report: a weighted graph with its threshold η, legend, details of the chosen node and table twin. Edges of weight
// below η are discarded, what is left is the reduced graph (paper 000, section 3.1).
import { add, Child, count, counted, h, plural, replace, svg } from './dom';
import { Figure } from './figure';
import { GraphEdge, GraphNode, GraphView } from './graph_view';
import { stateWord } from './data';
import { scrolling, Table } from './table';

export interface PanelOptions {
  id: string;
  title: string;
  nodeWord: string; // "event", "handler"
  nodes: GraphNode[];
  edges: GraphEdge[];
  kindTitle: string; // what the kinds of lines tell
  kinds: Record<string, string>; // kind of line: in words
  strong?: string; // what strong lines are
  noteTitle?: string; // what the notes beside the weights are
  eta?: number; // the threshold that the event paths were made with
  states: boolean;
  describe: (id: number) => Child[];
}

// A graph with more edges than this is shown from its heaviest edges on: more cannot be followed with the eye.
const mostEdgesAtFirst = 50;
// Up to here all of the graph is placed once and edges only vanish from it; a larger one is placed anew for each η,
// with nothing but what is left.
const mostEdgesPlacedOnce = 120;
// Fits beside the drawing without scrolling.
const mostEdgesListed = 8;
// A slider that is dragged asks for many thresholds; only where it rests a large graph is placed anew.
const restMilliseconds = 120;

// The same rules of graph.css draw it as draw the edges.
function lineKey(kind: string): Node {
  return svg(
    'svg',
    { 'class': 'key-line', 'width': 44, 'height': 10, 'aria-hidden': 'true' },
    svg('g', { class: `edge ${kind}` }, svg('path', { 'class': 'line', 'd': 'M1,5H43', 'stroke-width': 2.2 })),
  );
}

export class GraphPanel {
  readonly element: HTMLElement;
  private readonly view: GraphView;
  private readonly figure: Figure;
  private readonly steps: number[]; // every weight that occurs, ascending
  private readonly details = h('div', { 'class': 'details', 'role': 'region', 'aria-live': 'polite' });
  private readonly slider = h('input', { type: 'range', min: 0, step: 1 });
  private readonly exact = h('input', { type: 'number', min: 0, inputmode: 'numeric' });
  private readonly said = h('output', { class: 'said' });
  private readonly placedOnce: boolean;
  private edgeTable: Table<GraphEdge> | null = null;
  private nodeTable: Table<GraphNode> | null = null;
  private timer = 0;
  private eta = 0;

  constructor(private readonly options: PanelOptions) {
    const { id, title, edges } = options;
    this.placedOnce = edges.length <= mostEdgesPlacedOnce;
    this.steps = [...new Set(edges.map((edge) => edge.weight))].sort((a, b) => a - b);
    this.view = new GraphView(title, id, (node) => {
      location.hash = node === null ? `${id}s` : `${id}-${node}`;
    });
    this.details.setAttribute('aria-label', `${options.nodeWord} details`);
    const layout = h('div', { class: 'with-details' }, this.view.element, this.details);
    this.figure = new Figure(title, layout, () => this.twin(), this.tools());
    this.element = this.figure.element;
    this.explain();
  }

  // After the panel stands in the page: only then are sizes known.
  start(): void {
    const weights = this.options.edges.map((edge) => edge.weight).sort((a, b) => b - a);
    const first = weights.length > mostEdgesAtFirst ? weights[mostEdgesAtFirst - 1] : 0;
    if (this.placedOnce) {
      this.view.draw(this.options.nodes, this.options.edges);
      this.view.shrink();
    }
    this.setEta(first);
    if (!this.placedOnce) this.redraw();
  }

  select(node: number | null): void {
    if (node !== null && !this.placedOnce && !this.kept().some((edge) => edge.from === node || edge.to === node))
      this.setEta(this.strongestOf(node));
    if (!this.placedOnce) this.redraw();
    this.view.select(node);
    if (node === null) {
      this.explain();
      return;
    }
    this.figure.showFigure();
    replace(this.details, ...this.options.describe(node));
    this.view.reveal(node);
  }

  edgesOf(node: number): { out: GraphEdge[]; in: GraphEdge[] } {
    const sorted = [...this.options.edges].sort((a, b) => b.weight - a.weight);
    return { out: sorted.filter((edge) => edge.from === node), in: sorted.filter((edge) => edge.to === node) };
  }

  private strongestOf(node: number): number {
    const { out, in: into } = this.edgesOf(node);
    return Math.max(0, ...[...out, ...into].map((edge) => edge.weight));
  }

  private kept(): GraphEdge[] {
    return this.options.edges.filter((edge) => edge.weight >= this.eta);
  }

  private explain(): void {
    const { nodeWord } = this.options;
    replace(
      this.details,
      h(
        'p',
        { class: 'hint' },
        `Choose ${/^[aeiou]/.test(nodeWord) ? 'an' : 'a'} ${nodeWord} to see what ` +
          'goes before it, what follows it and what was decided. With the keyboard: Tab into the drawing, arrow keys to move, ' +
          'Enter to choose, Escape to let go.',
      ),
      ...this.heaviest(),
    );
  }

  private heaviest(): Child[] {
    const edges = [...this.options.edges].sort((a, b) => b.weight - a.weight).slice(0, mostEdgesListed);
    if (edges.length === 0) return [];
    return [
      h('h4', { class: 'minor' }, 'Heaviest edges'),
      h(
        'ul',
        { class: 'edges' },
        ...edges.map((edge) =>
          h(
            'li',
            {},
            h('span', {}, this.link(edge.from), ' \u2192 ', this.link(edge.to)),
            h('span', { class: 'number' }, counted(edge.weight, edge.error)),
          ),
        ),
      ),
    ];
  }

  private tools(): HTMLElement {
    const { id, eta } = this.options;
    this.slider.id = `${id}-eta`;
    this.slider.max = String(Math.max(0, this.steps.length - 1));
    this.slider.disabled = this.exact.disabled = this.steps.length < 2;
    this.slider.addEventListener('input', () => this.setEta(this.steps[Number(this.slider.value)] ?? 0));
    this.exact.setAttribute('aria-label', 'Threshold \u03b7, exact');
    this.exact.addEventListener('change', () => this.setEta(Math.max(0, Number(this.exact.value) || 0)));
    this.said.setAttribute('for', this.slider.id);
    const planned =
      eta !== undefined &&
      h(
        'button',
        { type: 'button', class: 'plain-button', click: () => this.setEta(eta) },
        `as for the paths: ${count(eta)}`,
      );
    return h(
      'div',
      { class: 'tools' },
      h(
        'div',
        { class: 'eta' },
        h('label', { for: this.slider.id }, 'Threshold \u03b7'),
        this.slider,
        this.exact,
        h('div', {}, this.said, planned),
      ),
      this.legend(),
    );
  }

  private legend(): HTMLElement {
    const { kinds, edges, nodes, states, strong } = this.options;
    const used = new Set(edges.map((edge) => edge.kind));
    const legend = h('ul', { 'class': 'legend', 'aria-label': 'Legend' });
    for (const [kind, words] of Object.entries(kinds))
      if (used.has(kind)) legend.append(h('li', {}, lineKey(kind), words));
    if (strong && edges.some((edge) => edge.strong)) legend.append(h('li', {}, lineKey('strong'), strong));
    if (edges.length > 1) legend.append(h('li', {}, 'wider: more often'));
    const { noteTitle } = this.options;
    if (noteTitle && edges.some((edge) => edge.note))
      legend.append(h('li', {}, `beside it: ${noteTitle.toLowerCase()}`));
    if (states)
      for (const state of ['applied', 'planned', 'stale', 'refused'] as const)
        if (nodes.some((node) => node.state === state))
          legend.append(
            h('li', {}, h('span', { 'class': `key box-${state}`, 'aria-hidden': 'true' }), stateWord[state]),
          );
    return legend;
  }

  private setEta(eta: number): void {
    this.eta = eta;
    const step = this.steps.findIndex((weight) => weight >= eta);
    this.slider.value = String(step < 0 ? this.steps.length - 1 : step);
    this.exact.value = String(eta);
    const edges = this.kept();
    const nodes = new Set(edges.flatMap((edge) => [edge.from, edge.to]));
    const words =
      `${count(edges.length)} of ${plural(this.options.edges.length, 'edge')}, ${count(nodes.size)} of ` +
      `${plural(this.options.nodes.length, this.options.nodeWord)}`;
    this.said.textContent = words;
    this.slider.setAttribute('aria-valuetext', `\u03b7 = ${count(eta)}: ${words}`);
    this.fillTwin(edges, nodes, words);
    if (this.placedOnce) {
      this.view.threshold(eta);
      return;
    }
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.redraw(), restMilliseconds);
  }

  private redraw(): void {
    window.clearTimeout(this.timer);
    const edges = this.kept();
    const reached = new Set(edges.flatMap((edge) => [edge.from, edge.to]));
    this.view.draw(
      this.options.nodes.filter((node) => reached.has(node.id)),
      edges,
    );
    this.view.threshold(this.eta);
  }

  private name(id: number): string {
    return this.options.nodes.find((node) => node.id === id)?.label ?? '';
  }

  private link(id: number): HTMLElement {
    return h('a', { href: `#${this.options.id}-${id}` }, this.name(id));
  }

  private twin(): HTMLElement {
    const { kinds, kindTitle, states, nodeWord } = this.options;
    this.edgeTable = new Table<GraphEdge>({
      caption: '',
      rows: [],
      sortBy: 3,
      descending: true,
      empty: 'No edge reaches this threshold.',
      columns: [
        { title: 'From', cell: (edge) => this.link(edge.from), sort: (edge) => this.name(edge.from) },
        { title: 'To', cell: (edge) => this.link(edge.to), sort: (edge) => this.name(edge.to) },
        {
          title: kindTitle,
          cell: (edge) => kinds[edge.kind] + (edge.strong ? `, ${this.options.strong}` : ''),
          sort: (edge) => edge.kind,
        },
        {
          title: 'Weight',
          cell: (edge) => counted(edge.weight, edge.error),
          sort: (edge) => edge.weight,
          numeric: true,
        },
        ...(this.options.noteTitle
          ? [{ title: this.options.noteTitle, cell: (edge: GraphEdge) => edge.note ?? 'unknown', numeric: true }]
          : []),
      ],
    });
    const title = nodeWord[0].toUpperCase() + nodeWord.slice(1);
    this.nodeTable = new Table<GraphNode>({
      caption: '',
      rows: [],
      empty: `No ${nodeWord} is left.`,
      columns: [
        { title, cell: (node) => this.link(node.id), sort: (node) => node.label },
        { title: 'How often', cell: (node) => node.note },
        ...(states
          ? [
              {
                title: 'Decision',
                cell: (node: GraphNode) => stateWord[node.state],
                sort: (node: GraphNode) => node.state,
              },
            ]
          : []),
      ],
    });
    const edges = this.kept();
    this.fillTwin(edges, new Set(edges.flatMap((edge) => [edge.from, edge.to])), this.said.textContent ?? '');
    return h(
      'div',
      { class: 'two-tables' },
      scrolling('Edges', this.edgeTable.element),
      scrolling(`${title}s`, this.nodeTable.element),
    );
  }

  private fillTwin(edges: GraphEdge[], nodes: Set<number>, words: string): void {
    this.edgeTable?.show(edges, `Edges of weight \u2265 ${count(this.eta)}: ${words}`);
    this.nodeTable?.show(
      this.options.nodes.filter((node) => nodes.has(node.id)),
      `What these edges connect: ${count(nodes.size)} of ${plural(this.options.nodes.length, this.options.nodeWord)}`,
    );
  }
}

// "SegFromUser, synchronous, 1,234" as lines that lead to the other node.
export function edgeList(
  title: string,
  id: string,
  edges: GraphEdge[],
  other: (edge: GraphEdge) => number,
  name: (node: number) => string,
  kinds: Record<string, string>,
): Child[] {
  if (edges.length === 0) return [];
  const list = h('ul', { class: 'edges' });
  for (const edge of edges)
    list.append(
      h(
        'li',
        {},
        h('a', { href: `#${id}-${other(edge)}` }, name(other(edge))),
        h('span', { class: 'number' }, counted(edge.weight, edge.error)),
        h('span', { class: 'muted' }, kinds[edge.kind] + (edge.note ? `, ${edge.note} between` : '')),
      ),
    );
  return [h('h5', {}, title), list];
}

export function facts(...pairs: [string, Child][]): HTMLElement {
  const list = h('dl', { class: 'facts' });
  for (const [name, value] of pairs) add(list, [h('dt', {}, name), h('dd', {}, value)]);
  return list;
}
