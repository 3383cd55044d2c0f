import type { ShownRecord } from "../api/shapes.ts";
import { shared } from "../lib/words.ts";
import { Time } from "../ui/time.tsx";
import { nameOf } from "./who.ts";

const words = {
  title: "Who has opened the evidence:",
  nobody: "Nobody has opened the evidence lately.",
} as const;

/** Who has opened a record's evidence, each with the last time and why. */
export function Openers({ openings }: Pick<ShownRecord, "openings">) {
  if (openings.length === 0) return <p className="text-13">{words.nobody}</p>;
  const last = openings.filter(
    ({ by }, index) => openings.findIndex((other) => other.by.personId === by.personId) === index,
  );
  return (
    <div className="text-13">
      <p>{words.title}</p>
      <ul>
        {last.map(({ by, purpose, at }) => (
          <li key={by.personId}>
            {nameOf(by)} · {shared.purpose.short[purpose]} · <Time at={at} />
          </li>
        ))}
      </ul>
    </div>
  );
}
