import { shared } from "../lib/words.ts";

const words = {
  deciders: {
    proposed: "proposed",
    confirmed: "confirmed",
    decided: "decided",
    commandLine: (name: string) => `${name}, on the command line,`,
  },
} as const;

const { deciders: say } = words;

export interface NamedPerson {
  personId: string;
  name: string | null;
}

export interface Decider {
  /** Null for the command line and for an app without a person. */
  personId: string | null;
  name: string;
  /** What the decider did. */
  did: string;
}

interface ManualDecision {
  by?: string | null;
  proposedBy?: string | null;
}

/** Who entered a manual decision, in the order of their acts; nobody for a change that the provider reported. */
export function decidersOf({ by, proposedBy }: ManualDecision, persons: readonly NamedPerson[]): Decider[] {
  if (!by) return [];
  const decider = (actor: string, did: string): Decider => ({ ...whoOf(actor, persons), did });
  if (!proposedBy) return [decider(by, say.decided)];
  return [decider(proposedBy, say.proposed), decider(by, say.confirmed)];
}

/** Who an actor is: a person with a name, a name of the command line, which nobody verifies, or an id. */
export function whoOf(actor: string, persons: readonly NamedPerson[]): Omit<Decider, "did"> {
  const [id = actor] = actor.split("/");
  if (id.startsWith("per_")) {
    const name = persons.find(({ personId }) => personId === id)?.name;
    return { personId: id, name: name ?? shared.person.unnamed };
  }
  const name = actor.startsWith("claim:") ? say.commandLine(actor.slice("claim:".length)) : actor;
  return { personId: null, name };
}
