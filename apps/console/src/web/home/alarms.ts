import type { RouterOutputs } from "@cardbridge/trpc-client";
import type { LinkProps } from "@tanstack/react-router";
import { againstSla, ageWords } from "../lib/age.ts";
import { number } from "../lib/numbers.ts";
import type { Meaning } from "../lib/why.ts";

const words = {
  attention: (n: string, one: boolean) => (one ? "1 record needs attention" : `${n} records need attention`),
  sla: (age: string, hours: number) =>
    `The oldest open record waits for ${age}; the agreed time is ${hours} h`,
  provider: "The provider cannot be reached: calls to it are held back",
  recovering: "The provider is tried again after errors",
  paused: (n: number) => (n === 1 ? "1 pause is active" : `${n} pauses are active`),
  endpoints: (n: number) => (n === 1 ? "1 webhook endpoint fails" : `${n} webhook endpoints fail`),
} as const;

export interface Alarm {
  meaning: Meaning;
  text: string;
  to: LinkProps;
}

export interface Known {
  counts: RouterOutputs["records"]["counts"] | undefined;
  status: RouterOutputs["service"]["status"] | undefined;
  health: RouterOutputs["webhooks"]["endpointHealth"] | undefined;
  pauses: RouterOutputs["pauses"]["list"]["pauses"] | undefined;
}

/** What needs somebody now, most urgent first. What is not known raises no alarm. */
export function alarmsOf({ counts, status, health, pauses }: Known, slaHours: number, now: number): Alarm[] {
  const alarms: Alarm[] = [];
  const breakers = Object.values(status?.provider.breakers ?? {});
  const active = pauses?.filter(({ state }) => state === "active").length ?? 0;
  const oldest = counts?.oldestOpenAt ? now - Date.parse(counts.oldestOpenAt) : 0;
  if (breakers.includes("open")) alarms.push({ meaning: "bad", text: words.provider, to: { to: "/system" } });
  else if (breakers.includes("half-open"))
    alarms.push({ meaning: "waiting", text: words.recovering, to: { to: "/system" } });
  if (active > 0) alarms.push({ meaning: "attention", text: words.paused(active), to: { to: "/system" } });
  if (againstSla(oldest, slaHours) === "over") {
    const to = { to: "/queue", search: { tab: "open" } } as const;
    alarms.push({ meaning: "bad", text: words.sla(ageWords(oldest), slaHours), to });
  }
  if (counts && counts.needsAttention > 0) {
    const text = words.attention(number(counts.needsAttention), counts.needsAttention === 1);
    alarms.push({ meaning: "attention", text, to: { to: "/queue", search: {} } });
  }
  if (health && health.endpoints.length > 0) {
    const text = words.endpoints(health.endpoints.length);
    alarms.push({ meaning: "attention", text, to: { to: "/", hash: "endpoints" } });
  }
  return alarms;
}
