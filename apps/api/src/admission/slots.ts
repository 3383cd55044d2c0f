import type { Slot } from "@cardbridge/domain";
import { type Call, holderOf, mapOperations, type Operation, type Operations } from "@cardbridge/service";
import { basePath, filesPath, isUploadsPath } from "../config/paths.ts";
import { createFairSemaphore, type FairSemaphore, type FairSemaphoreOptions } from "./fair-semaphore.ts";
import { type Head, isReading } from "./head.ts";
import type { OutageWatch } from "./outage.ts";

/** The scarce resources of a process, by their names in metrics. */
export const resources = [
  "operations",
  "bodies",
  "uploads",
  "decoders",
  "renderers",
  "provider",
  "event-bodies",
  "provider-requests",
  "database",
  "background-database",
  "subscriptions",
  "look-ups",
  "searches",
] as const;
export type Resource = (typeof resources)[number];
export type Slots = Record<Resource, FairSemaphore>;

/** The slots of calls to the provider. Its client has the same number of connections, because its queue is not fair. */
export const providerConnections = 64;

/** The number of processes that decode uploaded files. One platform uses at most half of them. */
export const decoders = 2;

/** The number of processes that render evidence. A person uses all of them while no other waits: a page takes seconds. */
export const renderers = 2;

interface Limits {
  operations: number;
  uploads: number;
  connections: DatabaseConnections;
}

/** The database connections of calls, and those of background work. */
export interface DatabaseConnections {
  calls: number;
  background: number;
}

/**
 * Creates the slots of every scarce resource. The waits absorb a burst and stay short for a caller. `provider-requests`
 * are the provider's events and its signed reads of files, which calls of platforms must not block. `event-bodies` are
 * events whose signature is not verified yet, by caller address.
 */
export function createSlots(
  { operations, uploads, connections }: Limits,
  onRefused: (resource: Resource) => NonNullable<FairSemaphoreOptions["onRefused"]>,
  outages: Record<keyof DatabaseConnections, Pick<OutageWatch, "isUnavailable">>,
): Slots {
  const ofCalls = { isDatabaseUnavailable: outages.calls.isUnavailable };
  const options: Record<Resource, FairSemaphoreOptions> = {
    operations: { capacity: operations, maxWaitMs: 250, maxStandingMs: 100, maxWaiting: 300, ...ofCalls },
    bodies: { capacity: 2_000, ...ofCalls },
    uploads: { capacity: uploads, maxWaitMs: 30_000, ...ofCalls },
    decoders: { capacity: decoders, maxWaitMs: 30_000 },
    renderers: { capacity: renderers, reserve: false, maxWaitMs: 120_000 },
    provider: {
      capacity: providerConnections,
      maxWaitMs: 500,
      codeAtLimit: "SERVICE_UNAVAILABLE",
    },
    "event-bodies": { capacity: 64, maxWaitMs: 2_000, maxWaiting: 200 },
    "provider-requests": {
      capacity: 32,
      maxWaitMs: 2_000,
      isDatabaseUnavailable: outages.background.isUnavailable,
    },
    database: { capacity: connections.calls, maxWaitMs: 5_000, codeAtLimit: "SERVICE_UNAVAILABLE" },
    "background-database": { capacity: connections.background, maxWaitMs: 5_000 },
    subscriptions: { capacity: 400, ...ofCalls },
    "look-ups": { capacity: 2_000, maxWaitMs: 1_000, ...ofCalls },
    // A search blocks the event loop, so a holder has one at a time. Calls that wait cost less than refusals that are repeated.
    searches: { capacity: 2, maxWaitMs: 2_000, maxWaiting: 50 },
  };
  const create = (resource: Resource) =>
    createFairSemaphore({ ...options[resource], onRefused: onRefused(resource) });
  return Object.fromEntries(resources.map((resource) => [resource, create(resource)])) as Slots;
}

type OperationSlots = Pick<Slots, "operations" | "provider-requests">;

/** The slots of requests, which the gates take. */
export type RequestSlots = Pick<Slots, "operations" | "bodies" | "uploads">;

/**
 * Takes the slot of an admitted request. An operation with a body takes its own slot after the body is read. The body
 * is not read if no slot is available.
 * @throws Failure as `FairSemaphore.take`.
 */
export async function takeSlot(slots: RequestSlots, head: Head, holder: string): Promise<Slot> {
  if (isReading(head.method)) return slots.operations.take(holder);
  if (head.path === `${basePath}${filesPath}` || isUploadsPath(head.path)) return slots.uploads.take(holder);
  const failure = slots.operations.refusal(holder);
  if (failure) throw failure;
  return slots.bodies.take(holder);
}

/**
 * Makes every operation hold a slot of its caller while it runs: the slot of its request, or a new slot, as in a
 * batch. The operation releases the slot early to wait for the provider. Uploads have their own slots.
 */
export function limitOperations(operations: Operations, slots: OperationSlots): Operations {
  const limited = mapOperations(operations, (operation) => limit(operation, slots));
  const { upload, uploadToUrl } = operations.files;
  return { ...limited, files: { ...limited.files, upload, uploadToUrl } };
}

function limit(operation: Operation, slots: OperationSlots): Operation {
  return {
    ...operation,
    async execute(ports, call, raw, violations) {
      const slot = call.slot?.held
        ? call.slot
        : await slotsOf(call, slots).take(holderOf(call, operation.urgent));
      try {
        return await operation.execute(ports, { ...call, slot }, raw, violations);
      } finally {
        slot.release();
      }
    },
  };
}

function slotsOf({ kind }: Call, slots: OperationSlots) {
  return kind === "provider" ? slots["provider-requests"] : slots.operations;
}
