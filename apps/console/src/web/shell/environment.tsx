import type { Environment } from "../api/session.ts";
import { cx } from "../ui/class.ts";

const words = {
  product: "cardbridge",
  environment: { live: "LIVE", test: "TEST" },
  environmentOf: { live: "Live environment", test: "Test environment" },
} as const;

/** The line at the top of every view: solid for live, striped for test. */
export const EnvironmentLine = ({ environment }: { environment: Environment }) => (
  <div aria-hidden="true" className={cx("h-1", environment === "live" ? "line-live" : "line-test")} />
);

/** The product's name, and beside it the environment: filled for live, outlined for test. */
export function Product({ environment }: { environment: Environment | undefined }) {
  const look =
    environment === "live"
      ? "border-live bg-live text-on-live"
      : "border-dashed border-waiting bg-waiting-tint text-waiting";
  return (
    <span className="flex items-center gap-2">
      <span className="font-semibold tracking-tight sm:text-16">{words.product}</span>
      {environment && (
        <span
          title={words.environmentOf[environment]}
          className={cx("rounded border px-1.5 text-12 font-bold tracking-wider", look)}
        >
          {words.environment[environment]}
        </span>
      )}
    </span>
  );
}
