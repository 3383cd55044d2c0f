import { shared } from "../lib/words.ts";

const words = {
  proposed: "proposed",
  confirmed: "confirmed",
  decided: "decided",
  commandLine: (name: string) => `${name}, on the command line`,
} as const;

export interface NamedPerson {
  personId: string;
  name: string | null;
}

export interface Who {
  /** Null for the command line and for an app without a person. */
  personId: string | null;
  name: string;
  /** What a decider did. */
  did?: string;
}

/** Who entered a manual decision, in the order of their acts; nobody for a change that the provider reported. */
export function decidersOf(
  { by, proposedBy }: { by?: string | null; proposedBy?: string | null },
  persons: readonly NamedPerson[],
): Who[] {
  if (!by) return [];
  if (!proposedBy) return [{ ...whoOf(by, persons), did: words.decided }];
  return [
    { ...whoOf(proposedBy, persons), did: words.proposed },
    { ...whoOf(by, persons), did: words.confirmed },
  ];
}

/** Who an actor is: a person with a name, a name of the command line, which nobody verifies, or an id. */
export function whoOf(actor: string, persons: readonly NamedPerson[]): Who {
  const [id = actor] = actor.split("/");
  if (id.startsWith("per_")) {
    const name = persons.find(({ personId }) => personId === id)?.name;
    return { personId: id, name: name ?? shared.person.unnamed };
  }
  const name = actor.startsWith("claim:") ? words.commandLine(actor.slice("claim:".length)) : actor;
  return { personId: null, name };
}

export const nameOf = ({ name }: NamedPerson): string => name ?? shared.person.unnamed;

/** The name of a caller of whom the service says the person. */
export const callerOf = ({ by, actor }: { by: NamedPerson | null; actor: string }): string =>
  by ? nameOf(by) : whoOf(actor, []).name;
