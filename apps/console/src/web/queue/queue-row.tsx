import { Link } from "@tanstack/react-router";
import type { RecordRow } from "../api/shapes.ts";
import { againstSla, ageWords, exactTime } from "../lib/age.ts";
import { shortId } from "../lib/ids.ts";
import { stateOf, whyOf } from "../lib/why.ts";
import { shared } from "../lib/words.ts";
import { cx } from "../ui/class.ts";
import { Copy } from "../ui/copy.tsx";
import { meaningText, Shape } from "../ui/state-mark.tsx";
import type { RowResult } from "./use-row-actions.ts";

const words = {
  changed: "changed",
  unassigned: "nobody",
  you: "you",
  assignTo: (id: string) => `: assign ${id} to me`,
} as const;

/** The columns of the list: one line on a wide screen, two on a narrow one, three on a phone. */
export const columns =
  "grid grid-cols-[20px_minmax(0,1fr)_auto] gap-x-2 md:grid-cols-[20px_134px_minmax(0,1fr)_132px] lg:grid-cols-[20px_172px_minmax(0,1fr)_minmax(0,120px)_140px_108px] lg:gap-x-3 wide:grid-cols-[140px_172px_minmax(0,1fr)_minmax(0,140px)_144px_132px]";

interface Props {
  row: RecordRow;
  now: number;
  slaHours: number;
  me: string | undefined;
  mayAct: boolean;
  current: boolean;
  changed: boolean;
  result: RowResult | undefined;
  onFocus(): void;
  onAssign(): void;
}

/** One record: its state, why it is here, how old it is, and who has it. */
export function QueueRow({
  row,
  now,
  slaHours,
  me,
  mayAct,
  current,
  changed,
  result,
  onFocus,
  onAssign,
}: Props) {
  const { kycRecordId, platformName, createdAt } = row;
  const state = stateOf(row);
  return (
    <tr
      data-record={kycRecordId}
      onFocus={onFocus}
      className={cx(
        columns,
        "relative items-center border-t border-line px-3 py-2 focus-within:bg-accent-tint hover:bg-sunken lg:h-9 lg:py-0",
        changed && "shadow-[inset_3px_0_0_var(--color-accent)]",
      )}
    >
      <td className="flex items-center gap-2">
        <Shape meaning={state.meaning} />
        <span className={cx("truncate text-13 max-wide:sr-only", meaningText(state.meaning))}>
          {state.word}
        </span>
      </td>
      <td className="flex items-center gap-1">
        <Link
          to="/records/$kycRecordId"
          params={{ kycRecordId }}
          tabIndex={current ? 0 : -1}
          title={kycRecordId}
          className="mono scroll-mt-28 scroll-mb-24 rounded whitespace-nowrap text-accent after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          {shortId(kycRecordId)}
        </Link>
        <span className="relative z-10">
          <Copy
            value={kycRecordId}
            label={shared.copy.id(shortId(kycRecordId))}
            tabIndex={current ? 0 : -1}
          />
        </span>
      </td>
      <td
        className={cx(
          "min-w-0 max-md:order-4 max-md:col-span-2 lg:truncate max-md:col-start-2",
          result && `font-medium ${meaningText(result.meaning)}`,
        )}
        title={result?.text ?? whyOf(row)}
      >
        {changed && (
          <span className="mr-2 text-12 font-medium text-accent max-lg:hidden">{words.changed}</span>
        )}
        {result?.text ?? whyOf(row)}
      </td>
      <td
        className="min-w-0 truncate text-muted max-lg:order-5 max-lg:col-start-2 max-lg:text-13 md:max-lg:col-end-4"
        title={platformName}
      >
        {changed && <span className="mr-2 text-12 font-medium text-accent lg:hidden">{words.changed}</span>}
        {platformName}
      </td>
      <td className="text-right tabular-nums max-lg:order-3 lg:pr-4">
        <Age
          createdAt={createdAt}
          now={now}
          slaHours={slaHours}
          decided={state.meaning === "good" || state.meaning === "bad"}
        />
      </td>
      <td className="flex min-h-6 min-w-0 items-center max-lg:order-6 max-lg:ml-auto max-lg:max-w-33 max-lg:justify-end max-lg:text-13">
        <Assignee row={row} me={me} mayAct={mayAct} current={current} onAssign={onAssign} />
      </td>
    </tr>
  );
}

interface AgeProps {
  createdAt: string;
  now: number;
  slaHours: number;
  decided: boolean;
}

/** The age, with a word when it is close to what was agreed or beyond it. */
function Age({ createdAt, now, slaHours, decided }: AgeProps) {
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

/** Who has the record; for one that no person has, the way to take it. */
function Assignee({
  row: { assignee, assignedRole, kycRecordId },
  me,
  mayAct,
  current,
  onAssign,
}: AssigneeProps) {
  if (assignee) {
    const name = assignee.personId === me ? words.you : (assignee.name ?? shared.person.unnamed);
    return (
      <span title={name} className={cx("truncate", assignee.personId === me && "font-medium text-accent")}>
        {name}
      </span>
    );
  }
  const who = assignedRole ? shared.person.role[assignedRole] : words.unassigned;
  if (!mayAct) return <span className="text-muted">{who}</span>;
  return (
    <button
      type="button"
      tabIndex={current ? 0 : -1}
      onClick={onAssign}
      className="relative z-10 min-h-6 rounded text-muted underline decoration-line decoration-dotted underline-offset-4 hover:text-accent"
    >
      {who}
      <span className="sr-only">{words.assignTo(shortId(kycRecordId))}</span>
    </button>
  );
}
