// report: the data that the page carries (docs/formats/report-data.md), and what is looked up in it.
import type { CountError } from './dom';
import type {
  CodeSymbol,
  Coverage,
  Edge,
  EventInfo,
  Guard,
  NestingInfo,
  NotedBlocks,
  NotedOutput,
  Release,
  Sequence,
  Site,
  SystemCall,
  SystemCallEdge,
} from './recorded';

export * from './recorded';
export type EventKind = EventInfo['kind'];
export type Mode = Edge['mode'];
export interface Nesting extends NestingInfo {
  perActivation: number | null;
  chain: boolean;
}

export interface CallSequence {
  sites: number[];
  weight: number;
  repeats: number;
}
export interface Decision {
  id: number;
  kind: string;
  does: string; // in words
  ofFunction: boolean; // about a function, not about a dispatch or system calls
  apply: boolean;
  event: string;
  site: Site;
  targets: { function: string; fullFunction: string; context: string }[];
  facts: { text: string; trusted: boolean }[];
  parent: number;
  weight: number;
  weightError: CountError;
  share: number;
  gainNs: number;
  gainMs: number;
  growth: number;
  guard: string;
  reason: string;
  refusal: string;
  remedy: string; // what a user can do about the refusal; empty: nothing
}
// A line of a specialised function. `marks`: a letter of static, dynamic, guarded, trusted for each that applies.
export interface LayerLine {
  line: number; // 0: code that belongs to no line
  text: string | null;
  marks: string;
  evaluated: number;
  residual: number;
  tested: number;
  trusted: number;
  reasons: string[];
}
export interface LayerFunction {
  function: string;
  fullFunction: string;
  place: string;
  problem: string;
  evaluated: number;
  residual: number;
  tested: number;
  trusted: number;
  lines: LayerLine[];
}
export interface DecisionOutcome {
  decision: number;
  applied: boolean;
  reason: string;
  growth: number;
  functions: LayerFunction[];
}
export interface Outcome {
  decisions: DecisionOutcome[];
  instructionsBefore: number;
  instructionsAfter: number;
}
export interface Estimate {
  median: number;
  low: number;
  high: number;
  confidence: number;
  n: number;
}
export interface Difference {
  what: string;
  program: string;
  round: number;
  offset: number;
  line: number;
  expected: string;
  found: string;
}
export interface Comparison {
  original: string;
  candidate: string;
  command: string;
  agreement: 'equal' | 'differ' | 'unstable';
  compared: string[];
  differences: Difference[];
  ending: string;
  speed: 'faster' | 'slower' | 'within_noise';
  metric: string;
  summary: string;
  wall: { ratio: Estimate; noise: Estimate };
  cpu: { ratio: Estimate; noise: Estimate };
}
export type Step = 'next' | 'raised' | 'returned';
export interface EventPath {
  events: number[];
  weight: number;
  error: CountError;
}
export interface HandlerGraph {
  nodes: { event: number | null; function: number | null }[];
  edges: { from: number; to: number; step: Step; weight: number; error: CountError }[];
}
export interface Graphs {
  eta: number;
  paths: EventPath[];
  chains: EventPath[];
  handlers: HandlerGraph;
  systemCalls: { eta: number; sequences: CallSequence[] };
}
export interface NamedSymbol extends CodeSymbol {
  fullName: string;
}
export interface Report {
  version: number;
  recorded: boolean; // false: a plan that a user declared, without a profile
  program: { path: string; buildId: string; command: string };
  coverage: Coverage;
  symbols: NamedSymbol[];
  sites: Site[];
  events: EventInfo[];
  edges: Edge[];
  sequences: Sequence[];
  nestings: Nesting[];
  callTimes: string; // whose times those of system calls are, and what is part of them
  systemCalls: SystemCall[];
  systemCallEdges: SystemCallEdge[];
  releases: Release[];
  outputCalls: NotedOutput[];
  blockCalls: NotedBlocks[];
  guards: Guard[];
  decisions: Decision[] | null;
  outcome: Outcome | null;
  comparison: Comparison | null;
  graphs: Graphs | null;
}

// What became of a decision, and what colours its event.
// planned: to be applied, nothing was optimised yet. stale: the plan said apply, and the program did not fit.
export type State = 'applied' | 'planned' | 'stale' | 'refused' | 'none';

export const stateWord: Record<State, string> = {
  applied: 'applied',
  planned: 'planned',
  stale: 'not applied',
  refused: 'refused',
  none: 'no decision',
};

export class Lookup {
  private readonly outcomes: Map<number, DecisionOutcome>;
  private readonly eventByName: Map<string, number>;
  private readonly decisionsByEvent = new Map<string, Decision[]>();

  constructor(readonly report: Report) {
    this.outcomes = new Map((report.outcome?.decisions ?? []).map((one) => [one.decision, one]));
    this.eventByName = new Map(report.events.map((event, index) => [event.name, index]));
    for (const decision of report.decisions ?? []) {
      const known = this.decisionsByEvent.get(decision.event);
      if (known) known.push(decision);
      else this.decisionsByEvent.set(decision.event, [decision]);
    }
  }

  eventIndex(name: string): number | undefined {
    return this.eventByName.get(name);
  }
  nestingsIn(event: number, position: number, handler: number | null): Nesting[] {
    return this.report.nestings
      .filter(
        (one) =>
          one.parentEvent === event &&
          one.position === position &&
          (one.handler === null || handler === null || one.handler === handler),
      )
      .sort((a, b) => b.count - a.count);
  }

  // Of a site of kind call: "read, copy.c:12".
  callName(site: number): string {
    const { callee, function: name, place } = this.report.sites[site];
    if (!place && name === callee) return name; // of a trace without stacks
    const file = place?.file.split('/').pop();
    return `${callee ?? ''}, ${place ? `${file}:${place.line}` : name}`;
  }
  eventName(index: number | null): string {
    return index === null ? 'unknown event' : this.report.events[index].name;
  }
  symbolName(index: number | null): string {
    return index === null ? 'unknown code' : this.report.symbols[index].name;
  }
  fullName(index: number | null): string {
    return index === null ? 'unknown code' : this.report.symbols[index].fullName;
  }
  decisionsOf(event: string): Decision[] {
    return this.decisionsByEvent.get(event) ?? [];
  }
  outcomeOf(decision: Decision): DecisionOutcome | undefined {
    return this.outcomes.get(decision.id);
  }

  stateOf(decision: Decision): State {
    if (!decision.apply) return 'refused';
    if (!this.report.outcome) return 'planned';
    return this.outcomeOf(decision)?.applied ? 'applied' : 'stale';
  }

  // Whether there is more to show of a specialised function than why it was not.
  hasLayer(decision: Decision): boolean {
    const state = this.stateOf(decision);
    return state === 'applied' || state === 'planned' || (this.outcomeOf(decision)?.functions.length ?? 0) > 0;
  }

  // Of several decisions on one event the one that did most speaks for it.
  mainDecision(event: string): Decision | undefined {
    const order: State[] = ['applied', 'planned', 'stale', 'refused'];
    const rank = (decision: Decision): number => order.indexOf(this.stateOf(decision));
    return [...this.decisionsOf(event)].sort((a, b) => rank(a) - rank(b) || b.weight - a.weight)[0];
  }
  stateOfEvent(event: string): State {
    const decision = this.mainDecision(event);
    return decision ? this.stateOf(decision) : 'none';
  }
  // What was done, or why nothing was: the outcome's words where it has some.
  reasonOf(decision: Decision): string {
    return this.outcomeOf(decision)?.reason || decision.reason;
  }
}
