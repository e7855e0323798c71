// report: a part of the page. Each has a file of its own that makes one of a report; main.ts has the list.
import type { Lookup } from './data';
import { Child, h } from './dom';

export interface Section {
  id: string;
  title: string;
  lede?: string;
  content: Child[];
  // Whether it is a page of its own in the same file: shown, and nothing else, while a link says so.
  isPage?: boolean;
  // Called once, when it stands in the page for the first time: only then a drawing knows its size.
  start?: () => void;
  // Links into it: `#id` selects nothing (null), `#word-3` the third of what it shows. A number is a stranger's: it may be of nothing.
  word?: string;
  select?: (number: number | null) => void;
}

// Null: this report has nothing of the kind.
export type MakeSection = (lookup: Lookup) => Section | null;

export function element({ id, title, lede, content, isPage }: Section): HTMLElement {
  return h(
    'section',
    { id, 'aria-labelledby': `${id}-title`, 'class': isPage && 'own-page' },
    h('h2', { id: `${id}-title`, tabindex: -1 }, title),
    lede && h('p', { class: 'lede' }, lede),
    ...content,
  );
}
