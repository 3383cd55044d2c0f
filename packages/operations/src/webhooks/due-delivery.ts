import type { DueDelivery } from "@cardbridge/domain";
import * as z from "zod";

/** A leased attempt by its ids. */
export const dueDelivery = z.object({
  platformId: z.string(),
  deliveryId: z.string(),
  endpointId: z.string(),
  lease: z.int().min(1),
  attempt: z.int().min(1),
  lane: z.enum(["prompt", "slow"]),
}) satisfies z.ZodType<DueDelivery>;
