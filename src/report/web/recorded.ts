// report: what was recorded, as the page has it; made of the rows in model/profile_fields.h by page_types_test.cc.
import type { CountError } from './dom';

// Of docs/formats/report-data.md.
export const dataVersion = 7;
export interface Place {
  file: string;
  line: number;
  column: number;
}
export interface Site {
  function: string;
  ordinal: number;
  kind: 'event' | 'list' | 'trigger' | 'wait' | 'call';
  place: Place | null;
  callee: string | null;
}
export interface CodeSymbol {
  name: string;
  isFunction: boolean;
  hasBody: boolean;
  instructions: number;
  place: Place | null;
}
export interface EventTime {
  timed: number;
  insideNs: number;
  insideErrorNs: CountError;
  ownNs: number;
  ownErrorNs: CountError;
}
export interface EventInfo {
  name: string;
  kind: 'event' | 'list' | 'trigger' | 'wait';
  raises: number;
  bindingChanges: number;
  error: CountError;
  time: EventTime | null;
}
export interface Edge {
  from: number;
  to: number;
  mode: 'sync' | 'async' | 'timed' | 'external';
  weight: number;
  error: CountError;
}
export interface Target {
  function: number | null;
  context: number | null;
  contextOffset: number;
  ordinal: number;
}
export interface Sequence {
  site: number;
  event: number;
  truncated: boolean;
  count: number;
  error: CountError;
  targets: Target[];
}
export interface NestingInfo {
  parentEvent: number;
  parentSite: number;
  position: number;
  handler: number | null;
  childEvent: number;
  childSite: number;
  mode: 'sync' | 'async' | 'timed' | 'external';
  count: number;
  error: CountError;
}
export interface Guard {
  decision: number;
  event: string | null;
  hits: number;
  failures: number;
}
export interface Coverage {
  dispatches: number;
  recorded: number;
  lost: number;
  runs: number;
  processes: number;
  threads: number;
}
export interface NotedComputation {
  function: number;
  instructions: number;
  inputBytes: number;
  resultBytes: number;
  notes: number;
  same: number;
}
export interface SystemCall {
  site: number;
  calls: number;
  errors: number;
  zeros: number;
  shorts: number;
  askedBytes: number;
  givenBytes: number;
  timed: number;
  insideNs: number | null;
}
export interface SystemCallEdge {
  from: number;
  to: number;
  weight: number;
  sameDescriptor: number;
  sameBuffer: number;
  resultIsSize: number;
  adjacent: number;
  timed: number;
  betweenNs: number | null;
  leastNs: number | null;
}
export interface Release {
  from: number;
  to: number;
  count: number;
}
export interface NotedOutput {
  site: number;
  calls: number;
}
export interface NotedBlocks {
  callee: string;
  calls: number;
  served: number;
}
