// report: where the nodes and lines of a graph go. dagre does the work; a graph too large for it gets a coarser answer.
import { Graph, layout as dagreLayout } from '@dagrejs/dagre';

export interface Point { x: number; y: number }
export interface Box extends Point { id: number; width: number; height: number }
export interface Link { from: number; to: number; weight: number }
export interface Drawn { points: Point[]; label: Point | null }
export interface Layout<L extends Link> { width: number; height: number; boxes: Map<number, Box>; lines: Map<L, Drawn> }

// dagre takes 1.4 s for 100 nodes and 300 edges and 3.5 s for 200 and 500 (measured, Node.js 20 on two shared cores); up to
// this many edges it stays below half a second.
const mostEdgesForDagre = 120;
// More labels than this cannot be read in one picture.
const mostLabels = 60;
const margin = 16;
const labelHeight = 16;
const labelWidthPerDigit = 7;

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
    return [{ x: right, y: from.y - 8 }, { x: right + 26, y: from.y - 12 }, { x: right + 26, y: from.y + 12 },
      { x: right, y: from.y + 8 }];
  }
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const middle = { x: (from.x + to.x) / 2 - dy * 0.12, y: (from.y + to.y) / 2 + dx * 0.12 };
  return [border(from, middle), middle, border(to, middle)];
}

export function place<L extends Link>(sizes: { id: number; width: number; height: number }[], links: L[]): Layout<L> {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 46, edgesep: 14, marginx: margin, marginy: margin });
  for (const { id, width, height } of sizes) graph.setNode(String(id), { width, height });
  const labelled = links.length <= mostLabels;
  const chosen = links.length <= mostEdgesForDagre ? new Set(links) : spanningForest(links);
  links.forEach((link, index) => {
    if (!chosen.has(link)) return;
    const width = labelled ? String(link.weight).length * labelWidthPerDigit + 8 : 0;
    graph.setEdge(String(link.from), String(link.to),
      { width, height: labelled ? labelHeight : 0, labelpos: 'c', weight: 1 }, String(index));
  });
  dagreLayout(graph);

  const boxes = new Map<number, Box>();
  for (const { id } of sizes) boxes.set(id, { id, ...(graph.node(String(id)) as Omit<Box, 'id'>) });
  const lines = new Map<L, Drawn>();
  links.forEach((link, index) => {
    if (!chosen.has(link)) {
      lines.set(link, { points: across(boxes.get(link.from)!, boxes.get(link.to)!), label: null });
      return;
    }
    const edge = graph.edge(String(link.from), String(link.to), String(index)) as { points: Point[] } & Point;
    lines.set(link, { points: edge.points, label: labelled ? { x: edge.x, y: edge.y } : null });
  });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return { width: Math.max(width, 2 * margin), height: Math.max(height, 2 * margin), boxes, lines };
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
  const mix = (a: Point, b: Point, share: number): Point =>
    ({ x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share });
  const knots = [list[0], ...list, list[list.length - 1]];
  let path = `M${show(list[0])}`;
  for (let at = 1; at + 2 < knots.length; at++) {
    const [a, b, c] = [knots[at], knots[at + 1], knots[at + 2]];
    const end = mix(mix(a, b, 2 / 3), mix(b, c, 1 / 3), 0.5);
    path += `C${show(mix(a, b, 1 / 3))} ${show(mix(a, b, 2 / 3))} ${show(end)}`;
  }
  return `${path}L${show(list[list.length - 1])}`;
}
