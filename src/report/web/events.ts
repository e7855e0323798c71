// report: the event graph, and what is known of the event that was chosen in it.
import { Lookup, stateWord } from './data';
import { Child, count, h, percent, plural } from './dom';
import { edgeList, facts, GraphPanel } from './graph_panel';

function handlers(lookup: Lookup, index: number): Child[] {
  const sequences = lookup.report.sequences.filter((sequence) => sequence.event === index)
    .sort((a, b) => b.count - a.count);
  if (sequences.length === 0) return [];
  const first = sequences[0];
  const all = sequences.reduce((sum, sequence) => sum + sequence.count, 0);
  const list = h('ol', { class: 'handlers' },
    ...first.targets.map((target) => h('li', {}, lookup.symbolName(target.function))));
  const others = sequences.length - 1;
  return [h('h5', {}, 'Handlers'), list, h('p', { class: 'muted' }, `in this order in ${percent(first.count / Math.max(1, all))} of `
    + 'what was recorded', others > 0 && ['; ', plural(others, 'other sequence')].join(''), '.')];
}

function decisionLinks(lookup: Lookup, event: string): Child[] {
  const decisions = lookup.decisionsOf(event);
  if (decisions.length === 0) return [];
  return [h('h5', {}, 'Decisions'), h('ul', { class: 'plain' }, ...decisions.map((decision) => {
    const state = lookup.stateOf(decision);
    return h('li', {}, h('a', { href: `#decision-${decision.id}` }, `Decision ${decision.id}`), ' ',
      h('span', { class: `badge ${state}` }, stateWord[state]), h('p', { class: 'muted' }, decision.reason));
  }))];
}

export function eventPanel(lookup: Lookup): GraphPanel {
  const { events, edges } = lookup.report;
  const name = (index: number): string => events[index].name;
  const panel: GraphPanel = new GraphPanel({
    id: 'event', title: 'Event graph', nodeWord: 'event', edges, modes: true, states: true,
    nodes: events.map((event, id) => ({
      id, label: event.name, note: plural(event.raises, 'raise'), state: lookup.stateOfEvent(event.name),
    })),
    describe: (index) => {
      const event = events[index];
      const near = panel.edgesOf(index);
      return [
        h('h4', {}, event.name),
        facts(['Raises', count(event.raises)], ['Bindings changed', count(event.bindingChanges)],
          ['Kind', event.kind === 'event' ? 'event of the runtime' : 'list of callbacks']),
        ...edgeList('Followed by', 'event', near.out, (edge) => edge.to, name, true),
        ...edgeList('Follows', 'event', near.in, (edge) => edge.from, name, true),
        ...handlers(lookup, index), ...decisionLinks(lookup, event.name),
      ];
    },
  });
  return panel;
}
