import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { bytes, number } from "../lib/numbers.ts";
import { Id } from "../ui/id.tsx";
import { Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";

const words = {
  title: "Storage and limits",
  since: "since",
  storedOf: (files: string, used: string, quota: string) => `${files} files, ${used} of at most ${quota}`,
  limits: {
    RATE_LIMIT_READS: "reads",
    RATE_LIMIT_WRITES: "writes",
    RATE_LIMIT_SUBMISSIONS: "submissions",
  },
  limit: (name: string, rate: string) => `${name}: ${rate}`,
  unlimited: "no limit",
  rate: (calls: string, seconds: string) =>
    seconds === "1" ? `${calls} a second` : `${calls} in ${seconds} seconds`,
  note: "The limits are the same for every platform.",
} as const;

export type Platform = RouterOutputs["platforms"]["list"]["platforms"][number];

/** What a platform stores, and how much it may call. */
export function PlatformFacts({ platform }: { platform: Platform }) {
  const { platformId, createdAt, storedFiles, storedBytes } = platform;
  const { data } = useQuery(api.service.status.queryOptions({}));
  const limitOf = (name: string) => data?.limits.find((limit) => limit.name === name)?.value;
  const quota = Number(limitOf("FILES_QUOTA_BYTES") ?? 0);
  return (
    <Section title={words.title}>
      <p className="flex flex-wrap items-center gap-x-6 gap-y-1">
        <Id id={platformId} />
        <span>
          {words.since} <Time at={createdAt} />
        </span>
        <span>{words.storedOf(number(storedFiles), bytes(storedBytes), bytes(quota))}</span>
      </p>
      {data && (
        <p className="mt-1 flex flex-wrap gap-x-6 text-13 text-muted">
          {Object.entries(words.limits).map(([name, text]) => (
            <span key={name}>{words.limit(text, rateOf(limitOf(name)))}</span>
          ))}
          <span>{words.note}</span>
        </p>
      )}
    </Section>
  );
}

/** A rate, which the service has as calls and seconds, in words. */
function rateOf(limit: string | undefined): string {
  if (limit === undefined || limit === "unlimited") return words.unlimited;
  const [calls = "", seconds = "1"] = limit.split("/");
  return words.rate(number(Number(calls)), seconds);
}
