import type { ReactNode } from "react";
import { cx } from "./class.ts";
import { Bar } from "./states.tsx";

export interface Column<Row> {
  name: string;
  cell(row: Row): ReactNode;
  /** Numbers and dates align right. */
  right?: boolean;
  /** This column takes the space that is left, and cuts its text. */
  wide?: boolean;
  /** The name is for screen readers alone, such as that of buttons. */
  quiet?: boolean;
}

interface Props<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while they are read. */
  rows: readonly Row[] | undefined;
  keyOf(row: Row): string;
  /** How much room the columns need beside each other: 520, 960 or 1,160 pixels. */
  room?: keyof typeof rooms;
}

const rooms = {
  compact: "[container:compact-table/inline-size]",
  usual: "[container:table/inline-size]",
  wide: "[container:wide-table/inline-size]",
};

/** Rows of facts. Where there is too little room, each row is a block in which every value has its name beside it. */
export function Table<Row>({ label, columns, rows, keyOf, room = "usual" }: Props<Row>) {
  if (!rows) return <Waiting />;
  return (
    <div className={rooms[room]}>
      <table aria-label={label} className="block w-full text-left as-table:table">
        <thead className="sr-only as-table:not-sr-only as-table:table-header-group">
          <tr>
            {columns.map(({ name, right, quiet }) => (
              <th
                key={name}
                scope="col"
                className={cx(
                  "h-8 px-3 text-12 font-normal whitespace-nowrap text-muted",
                  right && "text-right",
                )}
              >
                <span className={quiet ? "sr-only" : undefined}>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block as-table:table-row-group">
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              className="grid gap-x-4 border-t border-line px-1 py-2 first:border-t-0 hover:bg-sunken in-pairs:grid-cols-2 as-table:table-row"
            >
              {columns.map((column) => (
                <Cell key={column.name} column={column} content={column.cell(row)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps {
  column: Column<never>;
  content: ReactNode;
}

/** One value, with its name beside it where the row is a block. There, a value without a name takes no room if it is empty. */
function Cell({ column: { name, right, wide, quiet }, content }: CellProps) {
  return (
    <td
      className={cx(
        "min-h-7 min-w-0 items-center gap-3 px-3 as-table:table-cell as-table:h-9 as-table:border-t as-table:border-line as-table:align-middle",
        quiet && !content ? "hidden" : "flex",
        right && "as-table:text-right",
        wide ? "as-table:w-full as-table:max-w-0" : "as-table:whitespace-nowrap",
      )}
    >
      {!quiet && (
        <span aria-hidden="true" className="w-28 shrink-0 text-13 text-muted as-table:hidden">
          {name}
        </span>
      )}
      <span className={cx("min-w-0", wide && "block as-table:truncate", quiet && "py-1 as-table:py-0")}>
        {content}
      </span>
    </td>
  );
}

const Waiting = () => (
  <div aria-busy="true">
    {Array.from({ length: 4 }, (_, index) => (
      <div key={index} className="flex h-9 items-center gap-4 border-t border-line px-3 first:border-t-0">
        <Bar className="h-4 w-32" />
        <Bar className="h-4 w-56 max-w-[35%]" />
        <Bar className="ml-auto h-4 w-20" />
      </div>
    ))}
  </div>
);
