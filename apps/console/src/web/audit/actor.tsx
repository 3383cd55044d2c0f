import type { AuditEntry } from "@cardbridge/trpc-client";
import { Link } from "@tanstack/react-router";
import { shortId } from "../lib/ids.ts";
import { Id } from "../ui/id.tsx";
import type { AuditSearch } from "./filter.ts";

const words = {
  by: (name: string) => `Entries by ${name}`,
  worker: "worker",
  provider: "provider",
  commandLine: (name: string) => `${name}, on the command line`,
} as const;

interface Props {
  entry: Pick<AuditEntry, "actor" | "person" | "by">;
  search: AuditSearch;
}

/** Who did it: a person by name, or a key, the command line or the service itself. */
export function Actor({ entry: { actor, person, by }, search }: Props) {
  if (person !== null) {
    const name = by?.name ?? shortId(person);
    return (
      <Link
        to="/audit"
        search={{ ...search, person }}
        title={person}
        aria-label={words.by(name)}
        className="inline-block max-w-44 truncate rounded align-middle text-accent hover:underline"
      >
        {name}
      </Link>
    );
  }
  if (actor.startsWith("claim:")) return <>{words.commandLine(actor.slice("claim:".length))}</>;
  if (actor === "worker" || actor === "provider") return <>{words[actor]}</>;
  return <Id id={actor} to={{ to: "/audit", search: { ...search, key: actor } }} />;
}
