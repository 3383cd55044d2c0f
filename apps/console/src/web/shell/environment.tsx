import type { Environment } from "../session.ts";
import { cx } from "../ui/class.ts";
import { words } from "../words.ts";

/** The line at the top of every view: solid for live, striped for test. */
export const EnvironmentLine = ({ environment }: { environment: Environment }) => (
  <div aria-hidden="true" className={cx("h-1", environment === "live" ? "line-live" : "line-test")} />
);

/** The word beside the product's name: filled for live, outlined for test. */
export function EnvironmentWord({ environment }: { environment: Environment }) {
  const look =
    environment === "live"
      ? "border-live bg-live text-on-live"
      : "border-dashed border-waiting bg-waiting-tint text-waiting";
  return (
    <span
      title={words.environmentOf[environment]}
      className={cx("rounded border px-1.5 text-12 font-bold tracking-wider", look)}
    >
      {words.environment[environment]}
    </span>
  );
}
