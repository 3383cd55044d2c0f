import { Link } from "@tanstack/react-router";
import { cx } from "../ui/class.ts";
import { Notice } from "../ui/notice.tsx";
import { meaningText, Shape } from "../ui/state-mark.tsx";
import { Bar } from "../ui/states.tsx";
import type { Alarm } from "./alarms.ts";

const words = {
  calm: "All is well.",
  calmText: (endpoints: number) =>
    endpoints === 0
      ? "No record needs attention, and the provider answers."
      : `No record needs attention, the provider answers, and ${endpoints === 1 ? "the webhook endpoint receives" : `all ${endpoints} webhook endpoints receive`}.`,
  alarmsTitle: "What needs somebody now",
  unknown: "Some of this is not known now. See below what does not answer.",
} as const;

interface Props {
  alarms: readonly Alarm[];
  pending: boolean;
  /** Whether something could not be read. */
  unknown: boolean;
  endpoints: number;
}

/** The first sentence of the day. */
export function Headline({ alarms, pending, unknown, endpoints }: Props) {
  if (pending && alarms.length === 0) return <Bar className="mb-6 h-7 w-96 max-w-full" />;
  return (
    <div className="mb-6">
      {alarms.length > 0 ? (
        <ul aria-label={words.alarmsTitle} className="flex flex-col gap-1">
          {alarms.map(({ meaning, text, to }, index) => (
            <li key={text}>
              <Link
                {...to}
                className={cx(
                  "inline-flex items-baseline gap-2 rounded font-semibold tabular-nums hover:underline",
                  index === 0 ? "text-20" : "text-14",
                  meaningText(meaning),
                )}
              >
                <Shape meaning={meaning} />
                {text}
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        !unknown && (
          <p className="flex flex-wrap items-baseline gap-x-2">
            <strong className="inline-flex items-center gap-2 text-20 font-semibold text-good">
              <Shape meaning="good" />
              {words.calm}
            </strong>
            <span className="text-muted">{words.calmText(endpoints)}</span>
          </p>
        )
      )}
      {unknown && (
        <Notice meaning="waiting" className={alarms.length > 0 ? "mt-3" : ""}>
          {words.unknown}
        </Notice>
      )}
    </div>
  );
}
