import { Bar } from "../ui/states.tsx";
import { words } from "../words.ts";

/** The shape of a record before it is there. */
export function Loading() {
  return (
    <div aria-busy="true">
      <h1 className="sr-only">{words.record.title}</h1>
      <div className="rounded border border-line bg-surface px-4 py-4 md:px-5">
        <Bar className="h-6 w-72 max-w-full" />
        <Bar className="mt-4 h-7 w-[36rem] max-w-full" />
        <Bar className="mt-5 h-9 w-64 max-w-full" />
      </div>
      <div className="mt-6 grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Bar className="h-80 w-full" />
        <Bar className="h-80 w-full" />
      </div>
    </div>
  );
}
