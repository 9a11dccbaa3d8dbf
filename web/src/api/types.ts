/** The types of the API by short names, as `docs/openapi.json` describes them. */
import type { components } from './schema';

type Schemas = components['schemas'];

export type JobView = Schemas['JobView'];
export type JobState = Schemas['JobState'];
export type JobDetail = Schemas['JobDetail'];
export type AttemptView = Schemas['AttemptView'];
export type NodeView = Schemas['NodeView'];
export type QueueView = Schemas['QueueView'] & Partial<QueueBooks>;
export type EventView = Schemas['EventView'];
export type WhyView = Schemas['WhyView'];
export type ClusterView = Schemas['ClusterView'];
export type BookingView = Schemas['BookingView'];
export type ClusterSpec = Schemas['ClusterSpec'];
export type TokenView = Schemas['TokenView'];
export type TokenRequest = Schemas['TokenRequest'];
export type Identity = Schemas['Identity'];
export type AuditView = Schemas['AuditView'];
export type Problem = Schemas['Problem'];
export type Page<T> = { items: T[]; next?: string | null };

/** What the books of a queue say besides its use. */
export type QueueBooks = {
  parent: string | null;
  fair_milli: number;
  borrowed_milli: number;
  lent_milli: number;
  recent_use_milli: number;
};

/** One allocated piece of a GPU. */
export type Held = { gpu: number; job: number; milli: number; busy?: number | null };

export type MapNode = {
  name: string;
  domains: string[];
  state: 'up' | 'unknown' | 'gone';
  drained: boolean;
  model?: string | null;
  gpus: number;
  unhealthy: number[];
  held: Held[];
};

export type MapJob = {
  id: number;
  name: string;
  user: string;
  team?: string | null;
  queue: string;
  class: string;
  state: JobState;
  gpus_milli: number;
  started?: string | null;
};

/** The largest gang of whole GPUs that could start now within a domain. */
export type Largest = { level: string; domain?: string | null; gpus: number };

export type MapView = {
  sequence: number;
  at: string;
  cluster: ClusterView;
  levels: string[];
  nodes: MapNode[];
  jobs: MapJob[];
  largest: Largest[];
};

export type MapChange = {
  sequence: number;
  at: string;
  cluster: ClusterView;
  nodes: MapNode[];
  nodes_gone: string[];
  jobs: MapJob[];
  jobs_gone: number[];
  largest: Largest[];
};

export type PlanJob = {
  job: number;
  name: string;
  user: string;
  team?: string | null;
  queue: string;
  class: string;
  gpus_milli: number;
};
export type PlanRunning = PlanJob & {
  nodes: string[];
  started: string;
  ends_expected?: string | null;
  ends_latest?: string | null;
};
export type PlanNext = PlanJob & {
  submitted: string;
  starts_expected?: string | null;
  starts_latest?: string | null;
  reserved_nodes: string[];
  reason: string;
};
export type PlanView = {
  at: string;
  running: PlanRunning[];
  next: PlanNext[];
  waiting: number;
  bookings: BookingView[];
};

export type Money = Record<string, number>;

/** Where GPU time went, in GPU-milliseconds. */
export type Funnel = {
  paid: number;
  unallocated: { idle: number; unusable: number };
  allocated: number;
  active: number;
  idle: number;
  unmeasured: number;
  useful: number;
  lost: { failed: number; paused: number; cancelled: number };
  overhead: number;
  money: Money;
};
export type UsageRow = { key: string; label?: string | null; funnel: Funnel };
export type UsageBucket = { at: string; key?: string | null; funnel: Funnel };
export type UsageReport = {
  since: string;
  until: string;
  by: string;
  currency: string;
  total: Funnel;
  rows: UsageRow[];
  buckets?: UsageBucket[] | null;
};
export type Offender = {
  kind: string;
  job?: number | null;
  name?: string | null;
  user?: string | null;
  team?: string | null;
  gpu_ms: number;
  money: number;
  text: string;
};
export type WasteReport = { since: string; until: string; funnel: Funnel; offenders: Offender[] };
export type JobUsage = {
  funnel: Funnel;
  attempts: { attempt: number; outcome?: string | null; note?: string | null; funnel: Funnel }[];
  series: { from: string; to: string; held_gpu_ms: number; active_gpu_ms?: number | null }[];
};
