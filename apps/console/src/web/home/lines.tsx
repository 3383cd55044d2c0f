import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Meaning } from "../lib/why.ts";
import { ListState } from "../ui/list-state.tsx";
import { Section } from "../ui/section.tsx";
import { Shape } from "../ui/state-mark.tsx";
import { Bar } from "../ui/states.tsx";

const words = {
  text: (parts: readonly string[]) => parts.filter(Boolean).join(" · "),
} as const;

/** One thing that waits for somebody, and where it is. */
interface Line {
  key: string;
  /** Absent for those who may not look there. */
  link: LinkProps | undefined;
  meaning: Meaning;
  name: ReactNode;
  /** What is said about it; empty parts are left out. */
  parts: readonly string[];
  /** How old it is. */
  age: ReactNode;
}

interface Props {
  title: string;
  /** The way to all of them. */
  all: { text: string; link: LinkProps } | undefined;
  query: { data: unknown; error: unknown; refetch(): unknown };
  /** Undefined while they are read. */
  lines: readonly Line[] | undefined;
  nothing: { title: string; text: string };
}

/** A few things of one kind, each a link where it leads somewhere; on a phone each on two lines. */
export function Lines({ title, all, query: { data, error, refetch }, lines, nothing }: Props) {
  return (
    <Section title={title} aside={all && <All {...all} />}>
      <ListState
        query={{ error: data ? undefined : error, refetch }}
        empty={lines?.length === 0}
        nothing={nothing}
      >
        {!lines && <Bar className="m-4 h-28" />}
        <ul>
          {lines?.map(({ key, link, meaning, name, parts, age }) => (
            <li
              key={key}
              className="relative flex min-h-10 flex-wrap items-center gap-x-3 border-t border-line px-4 py-2 first:border-t-0 hover:bg-sunken"
            >
              <Shape meaning={meaning} />
              {link ? (
                <Link
                  {...link}
                  className="min-w-0 truncate rounded text-accent after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
                >
                  {name}
                </Link>
              ) : (
                <span className="min-w-0 truncate">{name}</span>
              )}
              <span
                title={words.text(parts)}
                className="min-w-0 flex-1 truncate max-sm:order-last max-sm:basis-full max-sm:pl-6 max-sm:text-13"
              >
                {words.text(parts)}
              </span>
              <span className="ml-auto whitespace-nowrap text-muted tabular-nums">{age}</span>
            </li>
          ))}
        </ul>
      </ListState>
    </Section>
  );
}

const All = ({ text, link }: NonNullable<Props["all"]>) => (
  <Link {...link} className="rounded text-13 text-accent hover:underline">
    {text}
  </Link>
);
