import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { useMe } from "../lib/use-me.ts";
import type { Decider } from "./decided-by.ts";

/** Who decided in which order: each person leads to what they did, for those who may read the audit. */
export function Deciders({ deciders }: { deciders: readonly Decider[] }) {
  return deciders.map((decider, index) => (
    <Fragment key={decider.did}>
      {index > 0 && ", "}
      <Name {...decider} /> {decider.did}
    </Fragment>
  ));
}

function Name({ personId, name }: Decider) {
  const { may } = useMe();
  if (personId === null || !may("ops.audit")) return <span title={personId ?? undefined}>{name}</span>;
  return (
    <Link
      to="/audit"
      search={{ person: personId }}
      title={personId}
      className="rounded text-accent underline underline-offset-2"
    >
      {name}
    </Link>
  );
}
