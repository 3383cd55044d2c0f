import type { KeyFacts } from "@cardbridge/domain";

export const exampleKey: KeyFacts = {
  keyId: "key_01jexample0000000000000000",
  platformId: "plt_01jexample0000000000000000",
  name: "backend",
  prefix: "cb_live_k3Yx",
  scopes: ["cards:read"],
  state: "live",
  createdAt: "2026-01-31T12:00:00.000Z",
  createdBy: "claim:ada",
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
};

/** The key itself, shortened. */
export const exampleSecret = "cb_live_k3Yx…";
