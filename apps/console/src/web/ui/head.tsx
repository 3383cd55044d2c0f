import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { number as formatNumber } from "../lib/numbers.ts";
import { usePageTitle } from "./page.tsx";

interface Props {
  title: string;
  lead?: string;
  /** The one primary action. */
  children?: ReactNode;
}

/** The head of a view: its name, what it is for, and the one thing to do. */
export function Head({ title, lead, children }: Props) {
  usePageTitle(title);
  return (
    <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 className="text-20 font-semibold tracking-tight">{title}</h1>
        {lead && <p className="max-w-[72ch] text-muted">{lead}</p>}
      </div>
      {children}
    </div>
  );
}

interface Tab {
  name: string;
  link: LinkProps;
  /** Whether the search parameters of the address tell it from another one. */
  bySearch?: boolean;
  /** How many things are there. */
  count?: number | undefined;
}

const tabClass =
  "-mb-px flex h-10 items-center gap-2 border-b-2 border-transparent px-2 font-medium whitespace-nowrap text-muted -outline-offset-2 hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-accent sm:px-3";

/** Views that belong together. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  if (tabs.length < 2) return null;
  return (
    <nav aria-label={label} className="mb-4 overflow-x-auto overflow-y-hidden">
      <ul className="flex min-w-max gap-1 border-b border-line">
        {tabs.map(({ name, link, bySearch = false, count }) => (
          <li key={name}>
            <Link {...link} activeOptions={{ exact: true, includeSearch: bySearch }} className={tabClass}>
              {name}
              {count !== undefined && <span className="text-13 tabular-nums">{formatNumber(count)}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
