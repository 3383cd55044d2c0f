import * as z from "zod";
import { cardId } from "../cards/card-id.ts";
import { format } from "../input/format.ts";
import { memberId } from "../input/formats.ts";
import { answerTypes } from "../kyc/provider-request.ts";
import { kycRecordId } from "../kyc/record-id.ts";

/** The reasons that a rejection may give, by the names of the sandbox's tags. */
const reasonCode = format("reason-code", {
  pattern: "^[a-z][a-z_]*$",
  maxLength: 64,
  help: "A reason code of the provider: up to 64 small letters and _.",
})
  .optional()
  .meta({ description: "A reason code of the provider, such as document_unreadable. Absent: no reason." });

const withCard = <const Act extends string>(act: Act) =>
  z.object({ act: z.literal(act), memberId, cardId: cardId.meta({ description: "A card of the user." }) });

/** An act of a provider for tests (an extension, gap G45). */
export const sandboxAct = z
  .discriminatedUnion("act", [
    z.object({ act: z.literal("approve"), memberId }),
    z.object({ act: z.literal("reject"), memberId, reasonCode }),
    z.object({
      act: z.literal("ask-document"),
      memberId,
      documentType: z.enum(answerTypes).meta({ description: "The document that the provider asks for." }),
    }),
    z.object({ act: z.literal("issue-card"), memberId }),
    withCard("lock-card"),
    withCard("unlock-card"),
    withCard("lose-card"),
  ])
  .meta({ id: "SandboxAct" });
type SandboxActInput = z.output<typeof sandboxAct>;

/** An act without the platform's own name of the user, which never leaves the platform. */
export type SandboxAct = SandboxActInput extends infer Act
  ? Act extends object
    ? Omit<Act, "memberId">
    : never
  : never;

/** What an act was about. What follows from it comes as events. */
export const sandboxActResult = z
  .object({
    act: z
      .enum(sandboxAct.options.map(({ shape }) => shape.act.value))
      .meta({ description: "The act that happened." }),
    externalUserId: z.string().meta({ description: "The user's id at the provider." }),
    kycRecordId: kycRecordId.nullable().meta({ description: "The user's latest record; null without one." }),
    cardId: z
      .string()
      .nullable()
      .meta({ description: "The issued or changed card; null for an act on a submission." }),
  })
  .meta({ id: "SandboxActResult" });
