import { describe } from "vitest";
import { sendRefused } from "./callers.ts";
import type { Canary } from "./canary.ts";
import { sendEvents } from "./events.ts";
import { sendInputs } from "./inputs.ts";
import { sendMessages } from "./mcp.ts";
import { sendThroughProvider } from "./provider.ts";
import { sendRequests } from "./requests.ts";
import { sendIntoTrouble } from "./trouble.ts";

/** Sends marked personal data through every success and every error, from callers and from the provider. */
export function sendMarkedData(canary: Canary): void {
  describe("marked data is sent in", () => {
    sendInputs(canary);
    sendRequests(canary);
    sendMessages(canary);
    sendRefused(canary);
    sendEvents(canary);
    sendIntoTrouble(canary);
    sendThroughProvider(canary);
  });
}
