import { type ForkedFake, forkedCredentials } from "@cardbridge/airwallex-fake";
import {
  type CardProvider,
  Failure,
  type ProviderIds,
  type ProviderKycRequest,
  type ProviderSteps,
} from "@cardbridge/domain";
import { createClock } from "@cardbridge/egress/testing";
import { expect } from "vitest";
import { memorySteps, newKycRequest } from "../../src/conformance/inputs.ts";
import { type AirwallexProviderOptions, createAirwallexProvider } from "../../src/index.ts";

export const { webhookSecret: _, ...credentials } = forkedCredentials;

export const createPath = "/api/v1/issuing/cardholders/create";

/** An in-memory store of the ids of steps. */
export function memoryIds() {
  const users = new Map<string, string>();
  const ids: ProviderIds = {
    idOf: async (_, userReference) => [...users].findLast(([, user]) => user === userReference)?.[0] ?? null,
    userOf: async (_, id) => users.get(id) ?? null,
  };
  /** The steps of a submission of this user. */
  const stepsOf = (userReference: string): ProviderSteps => {
    const steps = memorySteps();
    return {
      done: steps.done,
      async keep(name, result) {
        await steps.keep(name, result);
        if (name === "cardholder" && result.id !== undefined) users.set(result.id, userReference);
      },
    };
  };
  return { ids, users, stepsOf };
}

const kycMs = 60_000;

/** Creates an adapter over the fake, with short delays. Its deadlines pass only with `passDeadline`. */
export function connectAirwallex(
  { url, filesUrl }: Pick<ForkedFake, "url" | "filesUrl">,
  options: Partial<AirwallexProviderOptions> = {},
) {
  const memory = memoryIds();
  const clock = createClock();
  const observed: { event: string; labels: unknown }[] = [];
  const provider = createAirwallexProvider({
    baseUrl: url,
    filesUrl,
    ...credentials,
    deadlines: { kycMs },
    startTimer: clock.startTimer,
    retries: { minDelayMs: 1, maxDelayMs: 5 },
    observer: { observe: (event, labels) => observed.push({ event, labels }) },
    ids: memory.ids,
    ...options,
  });
  /** Creates a submission whose steps are visible to the adapter's ids. */
  function newRequest(changes: Partial<ProviderKycRequest["applicant"]> = {}): ProviderKycRequest {
    const request = newKycRequest(`ada+${crypto.randomUUID()}@example.com`);
    return {
      ...request,
      applicant: { ...request.applicant, ...changes },
      steps: memory.stepsOf(request.userReference),
    };
  }
  /** Passes the deadline of a submission after its call to this path, with this text, has reached the fake. */
  async function passDeadline(fake: ForkedFake, { path = createPath, end = "", text = "" } = {}) {
    const arrived = async () =>
      (await fake.requests()).some(
        (request) =>
          request.path.startsWith(path) &&
          request.path.endsWith(end) &&
          JSON.stringify(request.body ?? "").includes(text),
      );
    await expect.poll(arrived).toBe(true);
    clock.advance(kycMs);
  }
  return { provider, observed, newRequest, passDeadline, ...memory };
}

/** Makes attempts as the service does: queries after an unknown outcome, and sends after "not found". */
export async function resolveSubmission(
  provider: Pick<CardProvider, "findKyc" | "submitKyc">,
  request: ProviderKycRequest,
) {
  const found = await provider.findKyc(request);
  return found.outcome === "not-found" ? provider.submitKyc(request) : found;
}

/** Simulates a crash at one of the calls of `steps`: the call is made, and then nothing more happens. */
export function dyingAt(count: number, steps: ProviderSteps): ProviderSteps {
  let calls = 0;
  const die = () => {
    calls += 1;
    if (calls === count) throw new Failure("SERVICE_UNAVAILABLE");
  };
  return {
    async done(name) {
      const result = await steps.done(name);
      die();
      return result;
    },
    async keep(name, result) {
      if (count % 2 === 0) await steps.keep(name, result);
      die();
      if (count % 2 === 1) await steps.keep(name, result);
    },
  };
}
