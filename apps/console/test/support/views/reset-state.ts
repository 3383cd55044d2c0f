import { createState, type FakeState } from "./procedures.ts";
import { createServiceState } from "./service.ts";

/** Makes the state what it was before the first view: compliance, and the same rows. */
export function resetState(state: FakeState): void {
  // The procedures of the service keep its object.
  const service = Object.assign(state.service, createServiceState());
  Object.assign(state, createState("compliance", 90), { service });
}
