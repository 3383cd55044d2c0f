import type { Pause } from "@cardbridge/domain";

export const examplePause: Pause = {
  pauseId: "pause_01jexample0000000000000000",
  target: "provider",
  platformId: null,
  platformName: null,
  reason: "Maintenance at the provider until 14:00 UTC",
  state: "active",
  person: { personId: "per_01jexample0000000000000000", name: "Ada" },
  pausedBy: "per_01jexample0000000000000000/key_01jexample0000000000000000",
  pausedAt: "2027-01-31T12:00:00.000Z",
  until: "2027-01-31T14:00:00.000Z",
  resumedBy: null,
  resumedAt: null,
};
