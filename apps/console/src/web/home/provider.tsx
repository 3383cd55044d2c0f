import type { RouterOutputs } from "@cardbridge/trpc-client";
import { Card, Fact, Section } from "../ui/section.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { Bar, ErrorState } from "../ui/states.tsx";
import { words } from "../words.ts";

const { home: say } = words;
const meanings = { closed: "good", open: "bad", "half-open": "waiting" } as const;

interface Props {
  status: { data: RouterOutputs["service"]["status"] | undefined; error: unknown; refetch(): unknown };
}

/** Whether the provider answers, by group of calls. */
export function Provider({ status: { data, error, refetch } }: Props) {
  return (
    <Section title={say.provider}>
      <Card>
        {error && !data ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <div className="p-4">
            <Bar className="h-19 w-full" />
          </div>
        ) : (
          <dl>
            <Fact name={say.name}>{data.provider.name}</Fact>
            {Object.entries(data.provider.breakers).map(([group, state]) => (
              <Fact key={group} name={say.calls(group)}>
                <StateMark meaning={meanings[state]} word={say.breaker[state]} />
              </Fact>
            ))}
          </dl>
        )}
      </Card>
      <p className="mt-2 text-13 text-muted">{say.breakerNote}</p>
    </Section>
  );
}
