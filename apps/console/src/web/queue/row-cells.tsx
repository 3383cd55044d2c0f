import type { RecordRow } from "../api/shapes.ts";
import { againstSla, ageWords, exactTime } from "../lib/age.ts";
import { shortId } from "../lib/ids.ts";
import { shared } from "../lib/words.ts";
import { cx } from "../ui/class.ts";

const words = {
  unassigned: "nobody",
  you: "you",
  assignTo: (id: string) => `: assign ${id} to me`,
} as const;

interface AgeProps {
  createdAt: string;
  now: number;
  slaHours: number;
  decided: boolean;
}

/** The age, with a word when it is close to what was agreed or beyond it. */
export function Age({ createdAt, now, slaHours, decided }: AgeProps) {
  const age = now - Date.parse(createdAt);
  const sla = decided ? "within" : againstSla(age, slaHours);
  return (
    <time dateTime={createdAt} title={exactTime(createdAt)} className="whitespace-nowrap">
      {sla !== "within" && (
        <span className={cx("mr-2 text-12 font-medium", sla === "over" ? "text-bad" : "text-attention")}>
          {shared.queue[sla]}
        </span>
      )}
      {ageWords(age)}
    </time>
  );
}

interface AssigneeProps {
  row: RecordRow;
  me: string | undefined;
  mayAct: boolean;
  current: boolean;
  onAssign(): void;
}

/** Who has the record; for a record that nobody has, the way to take it. */
export function Assignee({ row: { assignee, kycRecordId }, me, mayAct, current, onAssign }: AssigneeProps) {
  if (assignee) {
    const name = assignee.personId === me ? words.you : (assignee.name ?? shared.person.unnamed);
    return (
      <span title={name} className={cx("truncate", assignee.personId === me && "font-medium text-accent")}>
        {name}
      </span>
    );
  }
  if (!mayAct) return <span className="text-muted">{words.unassigned}</span>;
  return (
    <button
      type="button"
      tabIndex={current ? 0 : -1}
      onClick={onAssign}
      className="relative z-10 min-h-6 rounded text-muted underline decoration-line decoration-dotted underline-offset-4 hover:text-accent"
    >
      {words.unassigned}
      <span className="sr-only">{words.assignTo(shortId(kycRecordId))}</span>
    </button>
  );
}
