import type { RouterOutputs } from "@cardbridge/trpc-client";

export type Row = RouterOutputs["records"]["search"]["records"][number];
type Me = RouterOutputs["persons"]["me"];
type Role = Me["roles"][number];

const minute = 60_000;
const hour = 60 * minute;
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** The same numbers in every run. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

export const platforms = [
  { platformId: "plt_01m8demo0000000000000000one", name: "Demo One" },
  { platformId: "plt_01m8demo0000000000000000two", name: "Demo Two" },
  {
    platformId: "plt_01m8demo000000000000000long",
    name: "Kowloon & New Territories Mutual Savings and Remittance Society",
  },
];

export const colleagues = [
  { personId: "per_01m8adaxxxxxxxxxxxxxxxxxxx", name: "Ada Okafor" },
  { personId: "per_01m8benxxxxxxxxxxxxxxxxxxx", name: "Ben Lindqvist" },
  { personId: "per_01m8clarissaxxxxxxxxxxxxxx", name: "Clarissa Montgomery-Featherstonehaugh" },
] as const;

const scopes: Partial<Record<Role, Me["scopes"]>> = {
  viewer: ["ops.records.read"],
  support: ["ops.records.read", "ops.records.act", "ops.users.read"],
  compliance: [
    "ops.records.read",
    "ops.records.act",
    "ops.users.read",
    "ops.records.decide",
    "ops.evidence",
    "ops.compliance",
    "ops.users.write",
    "ops.audit",
  ],
};

/** The signed-in person with a role. */
export function personWith(role: Role): Me {
  const [ada] = colleagues;
  return {
    ...ada,
    roles: [role],
    scopes: scopes[role] ?? [],
    platforms,
    allPlatforms: true,
    signInRequiredAt: new Date(Date.now() + 10 * minute).toISOString(),
    expiresAt: new Date(Date.now() + hour).toISOString(),
  };
}

type Kind = Pick<Row, "resolution" | "status" | "subStatus" | "reasons" | "lastAttempt"> & {
  attention: boolean;
};

const timeout = { outcome: "unknown", reason: "timeout", count: 8 } as const;
const none: Pick<Kind, "status" | "subStatus" | "reasons" | "lastAttempt"> = {
  status: null,
  subStatus: null,
  reasons: [],
  lastAttempt: null,
};
const unanswered = (at: string): Kind => ({
  ...none,
  resolution: "unresolved",
  lastAttempt: { ...timeout, at },
  attention: true,
});
const kinds: ((at: string) => Kind)[] = [
  unanswered,
  (at) => ({
    ...none,
    resolution: "unresolved",
    lastAttempt: { outcome: "not-found", reason: null, count: 3, at },
    attention: true,
  }),
  (at) => ({
    ...none,
    resolution: "unresolved",
    lastAttempt: { outcome: "unsent", reason: "external-file", count: 2, at },
    attention: true,
  }),
  (at) => ({
    ...none,
    resolution: "unresolved",
    lastAttempt: { outcome: "unknown", reason: "wrong-shape", count: 12, at },
    attention: true,
  }),
  () => ({
    ...none,
    resolution: "answered",
    status: null,
    subStatus: "manual_review_tier_2",
    attention: true,
  }),
  (at) => ({
    ...none,
    resolution: "unresolved",
    lastAttempt: { outcome: "unsent", reason: "breaker-open", count: 4, at },
    attention: false,
  }),
  () => ({
    ...none,
    resolution: "answered",
    status: "PENDING_APPROVAL",
    subStatus: "pending_approval",
    attention: false,
  }),
  () => ({
    ...none,
    resolution: "answered",
    status: "PENDING",
    subStatus: "not_submitted",
    attention: false,
  }),
  () => ({ ...none, resolution: "answered", status: "APPROVED", subStatus: "approved", attention: false }),
  () => ({
    ...none,
    resolution: "answered",
    status: "REJECTED",
    subStatus: "rejected",
    reasons: ["DOCUMENT_UNREADABLE", "SELFIE_MISMATCH", "ADDRESS_MISMATCH"],
    attention: false,
  }),
  () => ({ ...none, resolution: "refused", reasons: ["SUPPORTING_DOCUMENT_INSUFFICIENT"], attention: false }),
];

/** Records in every state, with ages from seconds to weeks. */
export function createRows(count: number): Row[] {
  const random = createRandom(7);
  const id = (prefix: string, length: number) =>
    prefix + Array.from({ length }, () => alphabet[random(alphabet.length)]).join("");
  return Array.from({ length: count }, (_, index): Row => {
    // Open records are hours old, decided ones up to weeks.
    const open = index < count - 50;
    const age = open
      ? (index + 1) * (494 / count) * minute * 1.2 + random(90) * 1_000
      : (index - count + 60) ** 2 * 3 * minute;
    const createdAt = new Date(Date.now() - age).toISOString();
    const among = !open ? kinds.slice(-3) : index % 4 === 3 ? kinds.slice(0, 5) : kinds.slice(5, 8);
    const { attention, ...state } = (among[random(among.length)] ?? unanswered)(createdAt);
    const { platformId, name } = platforms[random(3)] ?? { platformId: "", name: "" };
    const assignee = random(3) === 0 ? (colleagues[random(3)] ?? null) : null;
    return {
      kycRecordId: id("kyc_01m8", 22),
      platformId,
      platformName: name,
      externalUserId: id("usr_", 26),
      ...state,
      createdAt,
      dueAt: attention ? null : new Date(Date.now() + 30_000).toISOString(),
      needsAttentionSince: attention ? new Date(Date.now() - age / 2).toISOString() : null,
      assignee,
      assignmentVersion: assignee ? 1 : 0,
    };
  });
}
