import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { bytes, number } from "../lib/numbers.ts";
import { Id } from "../ui/id.tsx";
import { Card, Fact, Section } from "../ui/section.tsx";
import { Bar, ErrorState } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";

const words = {
  title: "Storage and limits",
  id: "Id",
  since: "Since",
  stored: "Stored files",
  storedOf: (files: string, used: string, quota: string) => `${files} files, ${used} of at most ${quota}`,
  limits: {
    RATE_LIMIT_READS: "Reads",
    RATE_LIMIT_WRITES: "Writes",
    RATE_LIMIT_SUBMISSIONS: "Submissions",
  },
  unlimited: "no limit",
  rate: (calls: string, seconds: string) =>
    seconds === "1" ? `${calls} a second` : `${calls} in ${seconds} seconds`,
  note: "The limits are the same for every platform.",
} as const;

/** What a platform stores, and how much it may call. */
export function PlatformFacts({ platformId }: { platformId: string }) {
  const list = useQuery(api.platforms.list.queryOptions({}));
  const limits = useQuery(api.service.status.queryOptions({})).data?.limits ?? [];
  const platform = list.data?.platforms.find((each) => each.platformId === platformId);
  const limitOf = (name: string) => limits.find((limit) => limit.name === name)?.value;
  return (
    <Section title={words.title}>
      <Card>
        {list.error ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : !list.data ? (
          <Bar className="m-4 h-36" />
        ) : (
          <dl>
            <Fact name={words.id}>
              <Id id={platformId} />
            </Fact>
            {platform && (
              <>
                <Fact name={words.since}>
                  <Time at={platform.createdAt} />
                </Fact>
                <Fact name={words.stored}>
                  {words.storedOf(
                    number(platform.storedFiles),
                    bytes(platform.storedBytes),
                    bytes(Number(limitOf("FILES_QUOTA_BYTES") ?? 0)),
                  )}
                </Fact>
              </>
            )}
            {Object.entries(words.limits).map(([name, text]) => (
              <Fact key={name} name={text}>
                {rateOf(limitOf(name))}
              </Fact>
            ))}
          </dl>
        )}
      </Card>
      <p className="mt-2 text-13 text-muted">{words.note}</p>
    </Section>
  );
}

/** A rate, which the service has as calls and seconds, in words. */
function rateOf(limit: string | undefined): string {
  if (limit === undefined || limit === "unlimited") return words.unlimited;
  const [calls = "", seconds = "1"] = limit.split("/");
  return words.rate(number(Number(calls)), seconds);
}
