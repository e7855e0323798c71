// report: a graph as SVG: nodes that take the focus, lines by weight and mode, zoom. Says which node was chosen.
import type { State } from './data';
import { stateWord } from './data';
import { CountError, h, replace, shorten, svg } from './dom';
import { curve, Layout, lineLabel, place } from './graph_layout';

export interface GraphNode {
  id: number;
  label: string;
  note: string;
  state: State;
}
// `kind` chooses how the line is drawn (graph.css); `strong` lines belong to an event chain.
export interface GraphEdge {
  from: number;
  to: number;
  kind: string;
  weight: number;
  error?: CountError;
  note?: string; // beside the weight
  strong?: boolean;
}

const nodeHeight = 46;
const nodePadding = 30;
const longestLabel = 30;
const tipLength = 9;
const narrowestLine = 1.2;
const widestLine = 7;
const zoomStep = 1.25;
const frameAir = 48; // above and below a drawing that is smaller than its frame
const [smallestScale, largestScale] = [0.15, 2];
// Below this size words cannot be read: a graph that does not fit at it is scrolled instead.
const smallestFittingScale = 0.7;

const marks: Record<State, string> = {
  applied: 'M-3.6,0.2L-1,2.9L3.8,-2.6',
  refused: 'M-2.7,-2.7L2.7,2.7M2.7,-2.7L-2.7,2.7',
  stale: 'M0,-3.6L0,0.8M0,3L0,3.4',
  planned: 'M-3,0L3,0M0.4,-2.8L3.2,0L0.4,2.8',
  none: '',
};

const ruler = document.createElement('canvas').getContext('2d');

function textWidth(text: string): number {
  if (!ruler) return text.length * 7.5;
  ruler.font = '600 14px system-ui, sans-serif';
  return ruler.measureText(text).width;
}

export class GraphView {
  readonly element: HTMLElement;
  private readonly drawing: SVGSVGElement;
  private readonly canvas: HTMLElement;
  private readonly nodeElements = new Map<number, SVGGElement>();
  private readonly edgeElements = new Map<GraphEdge, SVGGElement>();
  private layout: Layout<GraphEdge> | null = null;
  private nodes: GraphNode[] = [];
  private scale = 1;
  private selected: number | null = null;

  constructor(
    private readonly label: string,
    private readonly idPrefix: string,
    private readonly choose: (id: number | null) => void,
  ) {
    this.drawing = svg('svg', {
      'role': 'group',
      'aria-label': label,
      'class': 'graph',
      'keydown': (event) => this.key(event),
    });
    this.canvas = h(
      'div',
      { 'class': 'canvas', 'tabindex': 0, 'role': 'region', 'aria-label': `${label}, drawing` },
      this.drawing,
    );
    const button = (words: string, sign: string, act: () => void): HTMLElement =>
      h('button', { 'type': 'button', 'aria-label': words, 'title': words, 'click': act }, sign);
    this.element = h(
      'div',
      { class: 'graph-frame' },
      this.canvas,
      h(
        'div',
        { 'class': 'zoom', 'role': 'group', 'aria-label': 'Zoom' },
        button('Zoom in', '+', () => this.zoom(this.scale * zoomStep)),
        button('Zoom out', '\u2212', () => this.zoom(this.scale / zoomStep)),
        button('Fit to the frame', '\u2922', () => this.fit()),
      ),
    );
    this.drag();
  }

  draw(nodes: GraphNode[], edges: GraphEdge[]): void {
    this.nodes = nodes;
    this.nodeElements.clear();
    this.edgeElements.clear();
    const labels = new Map(nodes.map((node) => [node.id, shorten(node.label, longestLabel)]));
    const sizes = nodes.map((node) => ({
      id: node.id,
      height: nodeHeight,
      width: Math.ceil(Math.max(textWidth(labels.get(node.id)!), textWidth(node.note) * 0.88)) + nodePadding,
    }));
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.layout = place(sizes, edges, { width, height });
    const heaviest = Math.max(1, ...edges.map((edge) => edge.weight));
    const lines = edges.map((edge) => this.edge(edge, heaviest));
    const boxes = nodes.map((node) => this.node(node, labels.get(node.id)!));
    this.drawing.setAttribute('viewBox', `0 0 ${Math.ceil(this.layout.width)} ${Math.ceil(this.layout.height)}`);
    replace(this.drawing, svg('title', {}, this.label), this.arrows(), svg('g', {}, ...lines), svg('g', {}, ...boxes));
    boxes[0]?.setAttribute('tabindex', '0');
    this.mark();
    this.fit();
  }

  // Edges below η vanish, and nodes that no edge reaches any more step back.
  threshold(eta: number): void {
    const reached = new Set<number>();
    for (const [edge, element] of this.edgeElements) {
      const stays = edge.weight >= eta;
      element.classList.toggle('gone', !stays);
      if (stays) reached.add(edge.from).add(edge.to);
    }
    for (const [id, element] of this.nodeElements) element.classList.toggle('alone', !reached.has(id));
  }

  select(id: number | null): void {
    this.selected = id;
    this.mark();
  }

  reveal(id: number): void {
    const element = this.nodeElements.get(id);
    if (!element) return;
    this.rove(id);
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  // A small graph needs no large frame.
  shrink(): void {
    if (!this.layout) return;
    this.element.parentElement?.style.setProperty(
      '--drawing',
      `${Math.ceil(this.layout.height * this.scale) + frameAir}px`,
    );
    this.fit();
  }

  fit(): void {
    if (!this.layout || this.layout.boxes.size === 0) return;
    const { clientWidth, clientHeight } = this.canvas;
    const fitting = Math.min((clientWidth - 8) / this.layout.width, (clientHeight - 8) / this.layout.height, 1);
    this.zoom(Math.max(fitting, smallestFittingScale));
    // What does not fit is shown from where the most happens.
    const [busiest] = [...this.edgeElements.keys()].sort((one, other) => other.weight - one.weight);
    const start = busiest && this.layout.boxes.get(busiest.from);
    if (start) this.canvas.scrollTo(start.x * this.scale - clientWidth / 2, start.y * this.scale - clientHeight / 2);
  }

  private zoom(scale: number): void {
    if (!this.layout) return;
    this.scale = Math.min(largestScale, Math.max(smallestScale, scale));
    this.drawing.setAttribute('width', String(Math.ceil(this.layout.width * this.scale)));
    this.drawing.setAttribute('height', String(Math.ceil(this.layout.height * this.scale)));
  }

  private arrows(): SVGElement {
    const arrow = (id: string): SVGElement =>
      svg(
        'marker',
        {
          id: `${this.idPrefix}-${id}`,
          class: id,
          viewBox: '0 0 10 10',
          refX: 1,
          refY: 5,
          markerWidth: 11,
          markerHeight: 11,
          markerUnits: 'userSpaceOnUse',
          orient: 'auto',
        },
        svg('path', { d: 'M0,0.8L10,5L0,9.2z' }),
      );
    return svg('defs', {}, arrow('tip'), arrow('tip-near'));
  }

  private edge(edge: GraphEdge, heaviest: number): SVGGElement {
    const { points, label } = this.layout!.lines.get(edge)!;
    const name = (id: number): string => this.nodes.find((node) => node.id === id)?.label ?? '';
    const width = narrowestLine + (widestLine - narrowestLine) * Math.sqrt(edge.weight / heaviest);
    const path = svg('path', { 'd': curve(points, tipLength), 'class': 'line', 'stroke-width': width.toFixed(2) });
    const element = svg(
      'g',
      { class: `edge ${edge.kind}${edge.strong ? ' strong' : ''}` },
      svg('title', {}, `${name(edge.from)} \u2192 ${name(edge.to)}: ${lineLabel(edge)}, ${edge.kind}`),
      path,
      label && svg('text', { x: label.x, y: label.y, class: 'weight' }, lineLabel(edge)),
    );
    this.edgeElements.set(edge, element);
    return element;
  }

  private node(node: GraphNode, label: string): SVGGElement {
    const box = this.layout!.boxes.get(node.id)!;
    const [left, top] = [-box.width / 2, -box.height / 2];
    const state =
      node.state === 'none'
        ? null
        : svg(
            'g',
            { class: 'mark', transform: `translate(${box.width / 2 - 3},${top + 3})` },
            svg('circle', { r: 8 }),
            svg('path', { d: marks[node.state] }),
          );
    const element = svg(
      'g',
      {
        'class': `node ${node.state}`,
        'transform': `translate(${box.x},${box.y})`,
        'role': 'button',
        'tabindex': -1,
        'id': `${this.idPrefix}-${node.id}`,
        'aria-label': `${node.label} ${node.note}, ${stateWord[node.state]}`,
        'aria-pressed': 'false',
        'click': () => this.choose(node.id),
        'focus': () => this.rove(node.id),
      },
      label !== node.label && svg('title', {}, node.label),
      svg('rect', { class: 'box', x: left, y: top, width: box.width, height: box.height, rx: 9 }),
      svg('rect', { class: 'ring', x: left - 4, y: top - 4, width: box.width + 8, height: box.height + 8, rx: 12 }),
      svg('text', { class: 'name', y: -4 }, label),
      ' ',
      svg('text', { class: 'note', y: 13 }, node.note),
      state,
    );
    this.nodeElements.set(node.id, element);
    return element;
  }

  private mark(): void {
    const near = this.selected !== null && this.nodeElements.has(this.selected);
    this.drawing.classList.toggle('choosing', near);
    for (const [id, element] of this.nodeElements) {
      element.setAttribute('aria-pressed', String(id === this.selected));
      element.classList.remove('near');
    }
    for (const [edge, element] of this.edgeElements) {
      const touches = near && (edge.from === this.selected || edge.to === this.selected);
      element.classList.toggle('near', touches);
      const tip = `url(#${this.idPrefix}-${touches || edge.strong ? 'tip-near' : 'tip'})`;
      element.querySelector('.line')!.setAttribute('marker-end', tip);
      if (!touches || element.classList.contains('gone')) continue;
      this.nodeElements.get(edge.from)!.classList.add('near');
      this.nodeElements.get(edge.to)!.classList.add('near');
    }
  }

  // One node of the graph is in the order of the Tab key; the arrow keys go from node to node.
  private rove(id: number): void {
    for (const [other, element] of this.nodeElements) element.setAttribute('tabindex', other === id ? '0' : '-1');
  }

  private key(event: KeyboardEvent): void {
    const current = [...this.nodeElements].find(([, element]) => element === event.target)?.[0];
    if (current === undefined) return;
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    if (event.key === 'Enter' || event.key === ' ') this.choose(current);
    else if (event.key === 'Escape') this.choose(null);
    else if (event.key in steps) this.step(current, ...steps[event.key]);
    else return;
    event.preventDefault();
  }

  private step(current: number, dx: number, dy: number): void {
    const here = this.layout!.boxes.get(current)!;
    let best: number | null = null;
    let least = Infinity;
    for (const box of this.layout!.boxes.values()) {
      const along = (box.x - here.x) * dx + (box.y - here.y) * dy;
      if (along < 1) continue;
      const aside = Math.abs((box.x - here.x) * dy) + Math.abs((box.y - here.y) * dx);
      // What lies ahead goes before what lies aside.
      const distance = along + 2 * aside;
      if (distance < least) [least, best] = [distance, box.id];
    }
    if (best === null) return;
    const element = this.nodeElements.get(best)!;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  private drag(): void {
    let from: { x: number; y: number; left: number; top: number } | null = null;
    this.canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || event.pointerType !== 'mouse' || (event.target as Element).closest('.node')) return;
      from = { x: event.clientX, y: event.clientY, left: this.canvas.scrollLeft, top: this.canvas.scrollTop };
    });
    window.addEventListener('pointermove', (event) => {
      if (!from) return;
      this.canvas.scrollLeft = from.left - (event.clientX - from.x);
      this.canvas.scrollTop = from.top - (event.clientY - from.y);
    });
    window.addEventListener('pointerup', () => {
      from = null;
    });
  }
}
