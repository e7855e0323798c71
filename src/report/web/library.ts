// report: calls of the C library that stay inside of it: those that print or read (docs/OUTPUT.md), and small blocks of memory (docs/BLOCKS.md).
import { Lookup, NotedBlocks, NotedOutput, stateWord } from './data';
import { Child, count, h, percent } from './dom';
import type { Section } from './section';
import { scrolling, Table } from './table';

function outputTable(lookup: Lookup): HTMLElement {
  const name = (one: NotedOutput): string => lookup.callName(one.site);
  return new Table<NotedOutput>({
    caption: 'Calls that print or read',
    rows: lookup.report.outputCalls,
    sortBy: 1,
    descending: true,
    columns: [
      { title: 'Call', cell: name, sort: name },
      { title: 'Calls', cell: (one) => count(one.calls), sort: (one) => one.calls, numeric: true },
      { title: 'In', cell: (one) => h('code', {}, lookup.report.sites[one.site].function) },
    ],
  }).element;
}

// An event may have the function's name.
function stateOf(lookup: Lookup, callee: string): string {
  const decision = lookup.decisionsOf(callee).find(({ kind }) => kind === 'reuse');
  return decision ? stateWord[lookup.stateOf(decision)] : stateWord.none;
}

function blockTable(lookup: Lookup): HTMLElement {
  const share = (one: NotedBlocks): number => one.served / Math.max(1, one.calls);
  const number = (title: string, value: (one: NotedBlocks) => number, shown = count) => ({
    title,
    cell: (one: NotedBlocks) => shown(value(one)),
    sort: value,
    numeric: true,
  });
  return new Table<NotedBlocks>({
    caption: 'Small blocks of memory',
    rows: lookup.report.blockCalls,
    sortBy: 1,
    descending: true,
    columns: [
      { title: 'Function', cell: (one) => h('code', {}, one.callee), sort: (one) => one.callee },
      number('Calls', (one) => one.calls),
      number('Served by the thread\u2019s own lists', (one) => one.served),
      number('Share', share, percent),
      { title: 'Keeping its blocks', cell: (one) => stateOf(lookup, one.callee) },
    ],
  }).element;
}

export function library(lookup: Lookup): Section | null {
  const { blockCalls, outputCalls, recorded } = lookup.report;
  if (!recorded || (blockCalls.length === 0 && outputCalls.length === 0)) return null;
  const content: Child[] = [
    outputCalls.length > 0 && scrolling('Calls that print or read', outputTable(lookup)),
    blockCalls.length > 0 && scrolling('Small blocks of memory', blockTable(lookup)),
  ];
  return {
    id: 'library',
    title: 'C library',
    lede:
      'Calls that the C library answers without the kernel. What prints a constant format is written into the stream\u2019s buffer in ' +
      'place; a small block that a thread gave back serves its next request of that size.',
    content,
    isPage: true,
  };
}
