import { randomBytes } from "node:crypto";
import type { MintWebhookSecret } from "@cardbridge/operations";

/** A secret of 32 random bytes. */
export const mintWebhookSecret: MintWebhookSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
