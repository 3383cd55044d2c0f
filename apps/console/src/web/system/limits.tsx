import { Card, Section } from "../ui/section.tsx";
import { words } from "../words.ts";
import type { Status } from "./service-facts.tsx";

const { system: say } = words;

/** The configured limits, by the names of their variables. */
export const Limits = ({ limits }: { limits: Status["limits"] }) => (
  <Section title={say.limits}>
    <Card>
      {limits.length === 0 ? (
        <p className="px-4 py-2 text-muted">{say.noLimits}</p>
      ) : (
        <dl>
          {limits.map(({ name, value }) => (
            <div
              key={name}
              className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 border-t border-line px-4 py-1 first:border-t-0"
            >
              <dt className="mono break-all text-muted">{name}</dt>
              <dd className="ml-auto tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  </Section>
);
