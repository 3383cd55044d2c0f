import type { ShownRecord } from "../api/shapes.ts";
import { shared } from "../lib/words.ts";
import { Time } from "../ui/time.tsx";
import { callerOf } from "./who.ts";

const words = {
  title: "Who has opened the evidence:",
  nobody: "Nobody has opened the evidence lately.",
} as const;

/** Who has opened a record's evidence, each with the last time and why. */
export function Openers({ openings }: Pick<ShownRecord, "openings">) {
  if (openings.length === 0) return <p className="text-13">{words.nobody}</p>;
  const idOf = ({ by, actor }: (typeof openings)[number]) => by?.personId ?? actor;
  const last = openings.filter(
    (one, index) => openings.findIndex((other) => idOf(other) === idOf(one)) === index,
  );
  return (
    <div className="text-13">
      <p>{words.title}</p>
      <ul>
        {last.map((opening) => (
          <li key={idOf(opening)}>
            {callerOf(opening)} · {shared.purpose.short[opening.purpose]} · <Time at={opening.at} />
          </li>
        ))}
      </ul>
    </div>
  );
}
