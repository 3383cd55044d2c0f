import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { Me, RecordRow } from "../api/shapes.ts";
import { useKeys } from "../lib/use-keys.ts";
import { useNow } from "../lib/use-now.ts";
import { cx } from "../ui/class.ts";
import { place } from "./place.ts";
import { columns, QueueRow } from "./queue-row.tsx";
import type { RowResult } from "./use-row-actions.ts";
import { words } from "./words.ts";

const { columns: names, list } = words;

interface Props {
  rows: readonly RecordRow[];
  slaHours: number;
  me: Me | undefined;
  changed: ReadonlySet<string>;
  results: ReadonlyMap<string, RowResult>;
  assign(row: RecordRow): void;
  refresh(row: RecordRow): void;
}

/** The rows, with one of them in the order of Tab. j and k, or the arrows, move to the others. */
export function QueueList({ rows, slaHours, me, changed, results, assign, refresh }: Props) {
  const now = useNow();
  const mayAct = me?.scopes.includes("ops.records.act") ?? false;
  const navigate = useNavigate();
  const grid = useRef<HTMLTableElement>(null);
  const [focused, setFocused] = useState(place.focused);
  const at = Math.max(
    0,
    rows.findIndex(({ kycRecordId }) => kycRecordId === focused),
  );
  const current = rows[at];

  const focus = (kycRecordId: string | undefined, options?: FocusOptions) =>
    grid.current?.querySelector<HTMLElement>(`[data-record="${kycRecordId}"] a`)?.focus(options);
  const move = (by: number) => {
    const inList = grid.current?.contains(document.activeElement);
    focus(rows[inList ? Math.min(rows.length - 1, Math.max(0, at + by)) : at]?.kycRecordId);
  };
  const open = () =>
    current && void navigate({ to: "/records/$kycRecordId", params: { kycRecordId: current.kycRecordId } });

  useEffect(() => {
    place.rows = rows;
  }, [rows]);
  // Back from a record: the focus returns to its row.
  useEffect(() => {
    if (place.focused !== undefined) focus(place.focused, { preventScroll: true });
  }, []);
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    a: () => mayAct && current && assign(current),
    r: () => mayAct && current && refresh(current),
    Enter: (event) => {
      const { target } = event;
      if (target instanceof HTMLElement && target.closest("a, button"))
        target.closest<HTMLElement>("a, button")?.click();
      else open();
    },
  });

  return (
    <table ref={grid} aria-label={list} className="block rounded border border-line bg-surface text-left">
      <thead className="block max-lg:sr-only">
        <tr className={cx(columns, "h-8 items-center px-3 text-12 text-muted")}>
          <Heading name={words.status} hidden />
          <Heading name={names.record} />
          <Heading name={names.why} />
          <Heading name={names.platform} />
          <Heading name={names.age} right />
          <Heading name={names.assignee} />
        </tr>
      </thead>
      <tbody className="block">
        {rows.map((row, index) => (
          <QueueRow
            key={row.kycRecordId}
            row={row}
            now={now}
            slaHours={slaHours}
            me={me?.personId}
            mayAct={mayAct}
            current={index === at}
            changed={changed.has(row.kycRecordId)}
            result={results.get(row.kycRecordId)}
            onFocus={() => {
              place.focused = row.kycRecordId;
              setFocused(row.kycRecordId);
            }}
            onAssign={() => assign(row)}
          />
        ))}
      </tbody>
    </table>
  );
}

function Heading({ name, right, hidden }: { name: string; right?: boolean; hidden?: boolean }) {
  return (
    <th scope="col" className={cx("font-normal", right && "pr-4 text-right")}>
      <span className={hidden ? "max-wide:sr-only" : undefined}>{name}</span>
    </th>
  );
}
