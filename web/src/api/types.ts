/** The types of the API by short names, as `docs/openapi.json` describes them. */
import type { components } from './schema';

type Schemas = components['schemas'];

export type JobView = Schemas['JobView'];
export type JobState = Schemas['JobState'];
export type JobDetail = Schemas['JobDetail'];
export type AttemptView = Schemas['AttemptView'];
export type NodeView = Schemas['NodeView'];
export type QueueView = Schemas['QueueView'];
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

export type Held = Schemas['HeldGpu'];
/** What is empty is left out on the wire, and put back when it is taken in. */
export type MapNode = Schemas['MapNode'] & { unhealthy: number[]; held: Held[] };
export type MapJob = Schemas['MapJob'];
export type LargestGang = Schemas['LargestGang'];
export type MapView = Schemas['MapView'];
export type MapChange = Schemas['MapChange'];

export type PlanView = Schemas['PlanView'];
export type PlannedJob = Schemas['PlannedJob'];
export type PlannedEnd = Schemas['PlannedEnd'];
export type PlannedStart = Schemas['PlannedStart'];

export type Funnel = Schemas['Funnel'];
export type UsageReport = Schemas['UsageReport'];
export type UsageRow = Schemas['UsageRow'];
export type WasteReport = Schemas['WasteReport'];
export type IdlePreview = Schemas['IdlePreview'];
export type Offender = Schemas['Offender'];
export type JobUsage = Schemas['JobUsage'];
export type JobActivity = Schemas['JobActivity'];
export type GpuActivity = Schemas['GpuActivity'];
