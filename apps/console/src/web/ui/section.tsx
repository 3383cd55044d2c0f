import { type ReactNode, useId } from "react";

interface Props {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}

/** A part of a view with its heading. */
export function Section({ title, aside, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="mb-2 flex min-h-6 items-center justify-between gap-2">
        <h2 id={id} className="text-14 font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** A surface with a hairline around it. */
export const Card = ({ children }: { children: ReactNode }) => (
  <div className="overflow-hidden rounded border border-line bg-surface">{children}</div>
);

/** One name with its value. They stay together on a narrow screen. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-h-9 grid-cols-[minmax(112px,38%)_1fr] items-center gap-x-3 border-t border-line px-4 py-1 first:border-t-0">
      <dt className="text-13 text-muted">{name}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-1 break-words">{children}</dd>
    </div>
  );
}
