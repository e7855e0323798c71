// report: elements made by hand. Names from the data become text nodes and attributes only, never markup.
export type Child = Node | string | number | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: any) => void);
type Attributes = Record<string, Value>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  add(element, children);
}

export function add(element: Element, children: Child[]): void {
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
}

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(element, attributes, children);
  return element;
}

export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  add(element, children);
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

export function count(value: number): string {
  return whole.format(value);
}
// How far a count may be off: 0 or nothing, it is exact; null, it is an estimate and nobody knows.
export type CountError = number | null | undefined;
// Only what was counted looks like it.
export function counted(value: number, error: CountError): string {
  if (error === 0 || error === undefined) return count(value);
  return error === null ? `~${count(value)}` : `~${count(value)} \u00b1${count(error)}`;
}
// For a place that has room for some eight characters; the whole number stands in a table.
const roomForWhole = 10_000_000;
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });
export function shortCount(value: number): string {
  return value < roomForWhole ? count(value) : short.format(value);
}
export function amount(value: number): string {
  return Math.abs(value) >= 1000 ? whole.format(value) : fine.format(value);
}
export function percent(share: number): string {
  // 99.96 % is not all: only a whole is written as one.
  const text = (share * 100).toFixed(share > 0 && share < 1 ? 1 : 0);
  return `${share < 1 && text === '100.0' ? '> 99.9' : text} %`;
}
export function ratio(value: number): string {
  return value.toFixed(3);
}
// Of nanoseconds: "350 ns", "12.3 \u00b5s".
export function duration(ns: number): string {
  const [unit, size] = (
    [
      ['s', 1e9],
      ['ms', 1e6],
      ['\u00b5s', 1e3],
    ] as const
  ).find(([, size]) => ns >= size) ?? ['ns', 1];
  return `${unit === 'ns' ? whole.format(ns) : fine.format(ns / size)} ${unit}`;
}
// What was estimated from a sample never looks like what was measured.
export function estimated(ns: number, error: CountError): string {
  const time = `~${duration(ns)}`;
  return error === null || error === undefined ? time : `${time} \u00b1${duration(error)}`;
}
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function sentence(words: string): string {
  const first = words.slice(0, 1).toUpperCase();
  return first + words.slice(1) + (/[.!?]$/.test(words) ? '' : '.');
}

export function placeText(place: { file: string; line: number } | null): string {
  return place ? `${place.file}:${place.line}` : '';
}

// The end of a long name tells more than its middle; the beginning tells where it belongs.
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const tail = Math.floor(longest * 0.6);
  return `${text.slice(0, longest - tail - 1)}\u2026${text.slice(text.length - tail)}`;
}
