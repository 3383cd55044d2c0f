import { useQuery } from "@tanstack/react-query";
import { api, background } from "../api/client.ts";
import { againstSla, ageWords } from "../lib/age.ts";
import { useNow } from "../lib/use-now.ts";
import { cx } from "../ui/class.ts";
import { Shape } from "../ui/state-mark.tsx";
import { Bar } from "../ui/states.tsx";
import { words } from "../words.ts";

const { headline } = words.queue;
const number = new Intl.NumberFormat("en-GB");

/** How the queue stands, in one line. */
export function Headline({ slaHours }: { slaHours: number }) {
  const { data } = useQuery({ ...api.records.counts.queryOptions({}, background), refetchInterval: 60_000 });
  const now = useNow();
  if (!data) return <Bar className="h-5 w-72 max-w-full" />;
  const age = data.oldestOpenAt === null ? undefined : now - Date.parse(data.oldestOpenAt);
  const over = age !== undefined && againstSla(age, slaHours) === "over";
  return (
    <p className="flex flex-wrap items-center gap-x-4 text-muted tabular-nums sm:gap-x-2">
      <strong
        className={cx(
          "inline-flex items-center gap-1.5 font-semibold",
          data.needsAttention > 0 ? "text-attention" : "text-good",
        )}
      >
        <Shape meaning={data.needsAttention > 0 ? "attention" : "good"} />
        {headline.attention(number.format(data.needsAttention))}
      </strong>
      <Dot />
      <span>{headline.open(number.format(data.open))}</span>
      {age !== undefined && (
        <>
          <Dot />
          <span className={cx(over && "font-medium text-bad")}>
            {headline.oldest(ageWords(age))} ({headline.sla(slaHours)})
          </span>
        </>
      )}
    </p>
  );
}

const Dot = () => (
  <span aria-hidden="true" className="max-sm:hidden">
    ·
  </span>
);
