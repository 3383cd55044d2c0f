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
import { forOperators } from "../operation/actors.ts";
import { type Call, originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import type { Ports } from "../operation/ports.ts";
import { examplePause } from "./example.ts";

const dayMs = 86_400_000;

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
    // The repository audits in its transaction.
    audit: [],
    run: async (ports, call, input) => ({ data: await start(ports, call, "pauses.pauseProvider", input) }),
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
    run: async (ports, call, input) => ({ data: await start(ports, call, "pauses.pausePlatform", input) }),
  });

function start(
  { pauses, ids }: Pick<Ports, "pauses" | "ids">,
  call: Call,
  operation: string,
  { platformId = null, reason, until }: { platformId?: string | null; reason: string; until: string },
) {
  return pauses.start({
    pauseId: ids.pauseId(),
    platformId,
    reason,
    until: new Date(until),
    personId: call.person?.personId ?? null,
    by: originOf(call, operation),
  });
}
