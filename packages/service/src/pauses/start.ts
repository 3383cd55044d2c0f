import {
  endsLater,
  internalPlatformId,
  maxPauseDays,
  type Policies,
  pause,
  pausePlatformInput,
  pauseProviderInput,
  type RawInput,
  type Rule,
} from "@cardbridge/domain";
import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { pgTable } from "drizzle-orm/pg-core";
import { isUniqueViolation } from "../database/errors.ts";
import { requireRow } from "../database/require-row.ts";
import { pauseColumns } from "../database/schema/pauses.ts";
import { pauses } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { audit } from "../operation/audit.ts";
import { actorOf, type OperationCall } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import type { Ports } from "../operation/ports.ts";
import { examplePause, namePause, type PauseRow, pauseConflict, selectPauses } from "./pause.ts";

const dayMs = 86_400_000;

/** The insertable columns of pauses. Drizzle's insert lists every column of its table, granted or not. */
const newPauses = pgTable("pauses", pauseColumns());

/** A pause that somebody forgets must end. */
const notTooLong = (now: () => Date): Rule => ({
  id: "pause-length",
  section: "G42",
  description: `until is at most ${maxPauseDays} days away.`,
  check: ({ until }: RawInput) =>
    typeof until === "string" && Date.parse(until) > now().getTime() + maxPauseDays * dayMs
      ? [{ path: ["until"], rule: "pause-length", message: `Send a time within ${maxPauseDays} days.` }]
      : [],
  schema: {},
});

/** Operators could not resume a pause of their own apps. */
const pausable: Rule = {
  id: "pausable-platform",
  section: "G42",
  description: "The platform of the internal apps cannot be paused.",
  check: ({ platformId }: RawInput) =>
    platformId === internalPlatformId
      ? [{ path: ["platformId"], rule: "pausable-platform", message: "Send the id of a platform." }]
      : [],
  schema: {},
};

/** An example that ends soon: one of a fixed day would be too far away, or over. */
const exampleOf = (now: () => Date) => ({
  reason: examplePause.reason,
  until: new Date(now().getTime() + 7_200_000).toISOString(),
});

/** Pauses the calls to the card provider. */
export const pauseProvider = ({ now }: Policies) =>
  defineOperation({
    ...forOperators("ops.pauses"),
    reach: "service",
    recentSignIn: true,
    urgent: true,
    id: "pauses.pauseProvider",
    kind: "write",
    summary: "Pause the provider",
    description:
      "Stops all calls to the card provider, within a second in every process. Submissions are stored and sent later. " +
      "Card lists are refused with 503.",
    input: pauseProviderInput,
    rules: [endsLater(now), notTooLong(now)],
    output: pause,
    example: { input: exampleOf(now), output: { ...examplePause, ...exampleOf(now) } },
    errors: ["PAUSE_CONFLICT"],
    // `start` audits in its transaction.
    audit: [],
    run: async (ports, call, input) => ({ data: await start(ports, call, input) }),
  });

/** Pauses a platform: its calls are refused. */
export const pausePlatform = ({ now }: Policies) =>
  defineOperation({
    ...forOperators("ops.pauses"),
    recentSignIn: true,
    urgent: true,
    id: "pauses.pausePlatform",
    kind: "write",
    summary: "Pause a platform",
    description:
      "Refuses all calls of a platform's keys, and those of internal apps about it but operators' own, within a second in " +
      "every process; the responses say why and until when. " +
      "Stored submissions are sent, and webhooks are delivered.",
    input: pausePlatformInput,
    rules: [pausable, endsLater(now), notTooLong(now)],
    output: pause,
    example: {
      input: {
        platformId: "plt_01jexample0000000000000000",
        ...exampleOf(now),
        reason: "Calls after a leaked key",
      },
      output: {
        ...examplePause,
        ...exampleOf(now),
        target: "platform",
        platformId: "plt_01jexample0000000000000000",
        platformName: "Example Ltd",
        reason: "Calls after a leaked key",
      },
    },
    errors: ["PLATFORM_NOT_FOUND", "PAUSE_CONFLICT"],
    audit: [],
    run: async (ports, call, input) => ({ data: await start(ports, call, input) }),
  });

/**
 * In one transaction: starts a pause of the call's platform, or of the provider under that of the internal apps, and audits it.
 * @throws Failure PAUSE_CONFLICT if the target is paused.
 */
async function start(
  ports: Ports,
  call: OperationCall,
  { reason, until }: { reason: string; until: string },
) {
  const { platformId, person } = call;
  const pauseId = ports.ids.pauseId();
  const started = ports.database.asPlatform<PauseRow>(platformId, async (tx) => {
    const row = { id: pauseId, platformId, reason, until: new Date(until), pausedBy: actorOf(call) };
    await Promise.all([
      endExpired(tx, platformId),
      tx.insert(newPauses).values({ ...row, personId: person?.personId ?? null }),
    ]);
    const isThis = and(eq(pauses.platformId, platformId), eq(pauses.id, pauseId));
    return pipelineCommit([audit(tx, call, pauseId), selectPauses(tx).where(isThis)], ([, rows]) =>
      requireRow(rows, "pause"),
    );
  });
  return namePause(ports, await started.catch(refuseSecond));
}

/** An open pause past its `until` has ended, and must not prevent the next one. */
function endExpired(tx: Tx, platformId: string) {
  return tx
    .update(pauses)
    .set({ endedAt: pauses.until })
    .where(and(eq(pauses.platformId, platformId), isNull(pauses.endedAt), lte(pauses.until, sql`now()`)));
}

function refuseSecond(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  throw pauseConflict("until", "A pause of this target is active: resume it first.");
}
