// report: where the nodes and lines of a graph go. dagre does the work; a graph too large for it gets a coarser answer.
import { Graph, layout as dagreLayout } from '@dagrejs/dagre';
import { counted, CountError } from './dom';

export interface Point {
  x: number;
  y: number;
}
export interface Box extends Point {
  id: number;
  width: number;
  height: number;
}
export interface Link {
  from: number;
  to: number;
  weight: number;
  error?: CountError;
  note?: string; // stands beside the weight
}
export interface Drawn {
  points: Point[];
  label: Point | null;
}
export interface Layout<L extends Link> {
  width: number;
  height: number;
  boxes: Map<number, Box>;
  lines: Map<L, Drawn>;
}

// dagre takes 1.4 s for 100 nodes and 300 edges and 3.5 s for 200 and 500 (measured, Node.js 20 on two shared cores);
// up to this many edges it stays below half a second.
const mostEdgesForDagre = 120;
// More labels than this cannot be read in one picture.
const mostLabels = 60;
const margin = 16;
const labelHeight = 16;
const labelWidthPerCharacter = 7.5;

export function lineLabel(link: Link): string {
  return counted(link.weight, link.error) + (link.note ? ` \u00b7 ${link.note}` : '');
}

function labelWidth(link: Link): number {
  return lineLabel(link).length * labelWidthPerCharacter;
}

// The strongest edges that connect what can be connected: dagre places the nodes by these, the rest is drawn across.
function spanningForest<L extends Link>(links: L[]): Set<L> {
  const parent = new Map<number, number>();
  const root = (id: number): number => {
    let at = id;
    for (let next = parent.get(at); next !== undefined; next = parent.get(at)) at = next;
    if (at !== id) parent.set(id, at);
    return at;
  };
  const kept = new Set<L>();
  for (const link of [...links].sort((a, b) => b.weight - a.weight)) {
    const [from, to] = [root(link.from), root(link.to)];
    if (from === to) continue;
    parent.set(from, to);
    kept.add(link);
  }
  return kept;
}

function border(box: Box, towards: Point): Point {
  const [dx, dy] = [towards.x - box.x, towards.y - box.y];
  if (dx === 0 && dy === 0) return { x: box.x, y: box.y };
  const scale = Math.min(box.width / 2 / Math.abs(dx || 1e-9), box.height / 2 / Math.abs(dy || 1e-9));
  return { x: box.x + dx * scale, y: box.y + dy * scale };
}

// A line across the picture, bent a little so that there and back do not lie on each other.
function across(from: Box, to: Box): Point[] {
  if (from === to) {
    const right = from.x + from.width / 2;
    return [
      { x: right, y: from.y - 8 },
      { x: right + 26, y: from.y - 12 },
      { x: right + 26, y: from.y + 12 },
      { x: right, y: from.y + 8 },
    ];
  }
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const middle = { x: (from.x + to.x) / 2 - dy * 0.12, y: (from.y + to.y) / 2 + dx * 0.12 };
  return [border(from, middle), middle, border(to, middle)];
}

interface Size {
  id: number;
  width: number;
  height: number;
}
type Direction = 'TB' | 'LR';

// The links that would close a circle when all are laid down from the heaviest to the lightest: they run backward in the
// picture, so that what happens most runs forward.
function backward<L extends Link>(links: L[]): Set<L> {
  const next = new Map<number, number[]>();
  const leads = (from: number, to: number, seen: Set<number>): boolean =>
    from === to || (next.get(from) ?? []).some((id) => !seen.has(id) && leads(id, to, seen.add(id)));
  const back = new Set<L>();
  for (const link of [...links].sort((a, b) => b.weight - a.weight)) {
    const closes = leads(link.to, link.from, new Set());
    if (closes) back.add(link);
    const [from, to] = closes ? [link.to, link.from] : [link.from, link.to];
    next.set(from, [...(next.get(from) ?? []), to]);
  }
  return back;
}

// One connected part of the graph.
function placeConnected<L extends Link>(direction: Direction, sizes: Size[], links: L[], labelled: boolean): Layout<L> {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({
    rankdir: direction,
    nodesep: 26,
    ranksep: direction === 'TB' ? 34 : 64,
    edgesep: 16,
    marginx: margin,
    marginy: margin,
  });
  for (const { id, width, height } of sizes) graph.setNode(String(id), { width, height });
  const others = links.filter((link) => link.from !== link.to);
  const chosen = others.length <= mostEdgesForDagre ? new Set(others) : spanningForest(others);
  const back = backward([...chosen]);
  const ends = (link: L): [string, string] =>
    back.has(link) ? [String(link.to), String(link.from)] : [String(link.from), String(link.to)];
  links.forEach((link, index) => {
    if (!chosen.has(link)) return;
    const width = labelled ? labelWidth(link) + 10 : 0;
    // A heavy edge is to be short and straight.
    const label = {
      width,
      height: labelled ? labelHeight : 0,
      labelpos: 'c',
      weight: Math.ceil(Math.log2(link.weight + 2)),
    };
    graph.setEdge(...ends(link), label, String(index));
  });
  dagreLayout(graph);

  const boxes = new Map<number, Box>();
  for (const { id } of sizes) boxes.set(id, { id, ...(graph.node(String(id)) as Omit<Box, 'id'>) });
  const lines = new Map<L, Drawn>();
  links.forEach((link, index) => {
    if (chosen.has(link)) {
      const edge = graph.edge(...ends(link), String(index)) as { points: Point[] } & Point;
      const points = back.has(link) ? [...edge.points].reverse() : edge.points;
      lines.set(link, { points, label: labelled ? { x: edge.x, y: edge.y } : null });
      return;
    }
    const points = across(boxes.get(link.from)!, boxes.get(link.to)!);
    const beside = { x: points[1].x + labelWidth(link) / 2, y: points[0].y - labelHeight / 2 };
    lines.set(link, { points, label: labelled && link.from === link.to ? beside : null });
  });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const right = [...lines].reduce((most, [link, { points, label }]) => {
    const reach = label ? label.x + labelWidth(link) / 2 : points[1].x;
    return Math.max(most, reach + margin);
  }, width);
  return { width: right, height, boxes, lines };
}

function connected<L extends Link>(sizes: Size[], links: L[]): { sizes: Size[]; links: L[] }[] {
  const part = new Map<number, number>(sizes.map(({ id }) => [id, id]));
  const members = new Map<number, number[]>(sizes.map(({ id }) => [id, [id]]));
  for (const { from, to } of links) {
    const [kept, joined] = [part.get(from)!, part.get(to)!];
    if (kept === joined) continue;
    for (const id of members.get(joined)!) part.set(id, kept);
    members.get(kept)!.push(...members.get(joined)!);
    members.delete(joined);
  }
  const parts = new Map([...members.keys()].map((key) => [key, { sizes: [] as Size[], links: [] as L[] }]));
  for (const size of sizes) parts.get(part.get(size.id)!)!.sizes.push(size);
  for (const link of links) parts.get(part.get(link.from)!)!.links.push(link);
  return [...parts.values()];
}

function moved(point: Point, x: number, y: number): Point {
  return { x: point.x + x, y: point.y + y };
}

// The parts in rows, the largest first, as wide as makes the picture's shape that of the frame.
function pack<L extends Link>(parts: Layout<L>[], frame: { width: number; height: number }): Layout<L> {
  const area = parts.reduce((sum, { width, height }) => sum + width * height, 0);
  const widest = Math.max(0, ...parts.map(({ width }) => width));
  const rowWidth = Math.max(widest, Math.sqrt(area * (frame.width / Math.max(1, frame.height))));
  const all: Layout<L> = { width: 2 * margin, height: 2 * margin, boxes: new Map(), lines: new Map() };
  let [x, y, rowHeight] = [0, 0, 0];
  for (const one of [...parts].sort((a, b) => b.height - a.height)) {
    if (x > 0 && x + one.width > rowWidth) [x, y, rowHeight] = [0, y + rowHeight, 0];
    for (const [id, box] of one.boxes) all.boxes.set(id, { ...box, ...moved(box, x, y) });
    for (const [link, { points, label }] of one.lines)
      all.lines.set(link, { points: points.map((point) => moved(point, x, y)), label: label && moved(label, x, y) });
    x += one.width;
    rowHeight = Math.max(rowHeight, one.height);
    all.width = Math.max(all.width, x);
    all.height = Math.max(all.height, y + rowHeight);
  }
  return all;
}

// From top to bottom or from left to right, whichever shows more in a frame of this size.
export function place<L extends Link>(sizes: Size[], links: L[], frame: { width: number; height: number }): Layout<L> {
  const parts = connected(sizes, links);
  const labelled = links.length <= mostLabels;
  const along = (direction: Direction): Layout<L> =>
    pack(
      parts.map((part) => placeConnected(direction, part.sizes, part.links, labelled)),
      frame,
    );
  const down = along('TB');
  if (!labelled) return down;
  const right = along('LR');
  const scale = (layout: Layout<L>): number => Math.min(frame.width / layout.width, frame.height / layout.height);
  return scale(right) > scale(down) ? right : down;
}

// The line's last point is drawn back by the arrow's length, so that a wide line does not hide its arrow's tip.
function withoutTip(points: Point[], length: number): Point[] {
  const last = points[points.length - 1];
  const before = points[points.length - 2];
  const distance = Math.hypot(last.x - before.x, last.y - before.y);
  if (distance <= length) return points;
  const share = length / distance;
  const end = { x: last.x + (before.x - last.x) * share, y: last.y + (before.y - last.y) * share };
  return [...points.slice(0, -1), end];
}

// A uniform cubic B-spline through the first and the last point, as SVG path data.
export function curve(points: Point[], tip: number): string {
  const list = withoutTip(points, tip);
  const show = (point: Point): string => `${point.x.toFixed(1)},${point.y.toFixed(1)}`;
  if (list.length < 3) return `M${list.map(show).join('L')}`;
  const mix = (a: Point, b: Point, share: number): Point => ({
    x: a.x + (b.x - a.x) * share,
    y: a.y + (b.y - a.y) * share,
  });
  const knots = [list[0], ...list, list[list.length - 1]];
  let path = `M${show(list[0])}`;
  for (let at = 1; at + 2 < knots.length; at++) {
    const [a, b, c] = [knots[at], knots[at + 1], knots[at + 2]];
    const end = mix(mix(a, b, 2 / 3), mix(b, c, 1 / 3), 0.5);
    path += `C${show(mix(a, b, 1 / 3))} ${show(mix(a, b, 2 / 3))} ${show(end)}`;
  }
  return `${path}L${show(list[list.length - 1])}`;
}
