import type { ShownRecord } from "../api/shapes.ts";
import { reasonWords } from "../lib/why.ts";
import { Card, Section } from "../ui/section.tsx";
import { words } from "../words.ts";

const { reasons: say } = words.record;

/** Why the provider refused or rejected the submission. */
export function Reasons({ explanation }: { explanation: ShownRecord["explanation"] }) {
  if (!explanation || explanation.reasons.length === 0) return null;
  return (
    <Section title={say.title}>
      <Card>
        <ul>
          {explanation.reasons.map(({ code, field }) => (
            <li
              key={`${code}${field}`}
              className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 border-t border-line px-4 py-1.5 first:border-t-0"
            >
              <span className="first-letter:uppercase">
                {reasonWords(code)}
                {field && <span className="text-13 text-muted"> {say.field(field)}</span>}
              </span>
              <span className="mono text-muted">{code}</span>
            </li>
          ))}
        </ul>
        {explanation.final && <p className="border-t border-line px-4 py-2 text-bad">{say.final}</p>}
      </Card>
    </Section>
  );
}
