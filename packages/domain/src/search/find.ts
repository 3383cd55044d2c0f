import * as z from "zod";
import { userState } from "../identity/user-state.ts";
import { moment, searchedText } from "../input/formats.ts";
import { resolutions } from "../kyc/record.ts";
import { kycStatus } from "../kyc/status.ts";
import { deliveryStatuses } from "../webhooks/delivery.ts";

/** The maximum number of results of each kind. */
export const maxFoundOfKind = 10;

export const findQuery = z.object({
  text: searchedText(128).meta({
    description:
      "An e-mail, a member id or a card account, exactly; an id of any kind, whole or shortened as usr_01m8…ta0x; or a " +
      "part of the name of a platform or of the description of an endpoint.",
  }),
});

const recordState = z.object({
  kycRecordId: z.string(),
  resolution: z.enum(resolutions),
  status: kycStatus.nullable(),
  needsAttentionSince: moment.nullable(),
  createdAt: moment,
});

const ofPlatform = { platformId: z.string(), platformName: z.string() };

/** One thing that a search found. */
const foundThing = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("user"),
    ...ofPlatform,
    externalUserId: z.string(),
    createdAt: moment,
    ...userState.shape,
    latest: recordState.nullable().meta({ description: "The user's latest record; null without one." }),
  }),
  z.object({
    kind: z.literal("record"),
    ...ofPlatform,
    externalUserId: z.string(),
    ...recordState.shape,
  }),
  z.object({
    kind: z.literal("endpoint"),
    ...ofPlatform,
    endpointId: z.string(),
    description: z.string().nullable(),
    enabled: z.boolean(),
  }),
  z.object({
    kind: z.literal("delivery"),
    ...ofPlatform,
    endpointId: z.string(),
    deliveryId: z.string(),
    type: z.string().meta({ description: "The type of its event." }),
    status: z.enum(deliveryStatuses),
    createdAt: moment,
  }),
  z.object({ kind: z.literal("platform"), ...ofPlatform }),
  z.object({
    kind: z.literal("request"),
    ...ofPlatform,
    requestId: z.string(),
    operation: z.string(),
    outcome: z.string().meta({ description: "`done`, `replayed`, or the error's code." }),
    subject: z.string().nullable().meta({ description: "The id of what the call was about." }),
    at: moment,
  }),
]);
export type FoundThing = z.output<typeof foundThing>;

export const foundThings = z
  .object({
    results: z.array(foundThing).meta({ description: `At most ${maxFoundOfKind} of each kind.` }),
  })
  .meta({ id: "FoundThings" });
