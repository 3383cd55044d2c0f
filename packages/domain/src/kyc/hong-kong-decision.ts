import * as z from "zod";
import { decide, type RawInput } from "../input/rule.ts";
import type { Policies } from "./policies.ts";

const description = { description: "The condition for a Hong Kong user, in words." };
const policy = { description: "The id of the policy with this condition." };

/** Whether the user is a Hong Kong user, and the policy that decides it. */
export const hongKongDecision = z.object({
  policy: z.string().meta(policy),
  description: z.string().meta(description),
  isHongKongUser: z.boolean().nullable().meta({
    description: "Whether the user is a Hong Kong user; null while the fields that decide it are unknown.",
  }),
});

/** Decides from the known fields. */
export function decideHongKong({ hongKong }: Policies, known: RawInput): z.output<typeof hongKongDecision> {
  return {
    policy: hongKong.id,
    description: hongKong.description,
    isHongKongUser: decide(hongKong, known),
  };
}
