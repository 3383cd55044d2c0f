import type { ReactNode } from "react";

const paths = {
  home: <path d="M2.500 7.500 8 3l5.500 4.500M4 6.500V13h8V6.500" />,
  webhooks: <path d="M2.500 8h8M7.500 4.500 11 8l-3.500 3.500M13.500 3v10" />,
  platforms: <path d="M3 13V5.500l5-2.500 5 2.500V13M2 13h12M6.500 13V9.500h3V13" />,
  audit: <path d="M4 2.500h6l2.500 2.500v8.500H4ZM6 7h4M6 9.500h4" />,
  system: <path d="M2.500 3.500h11v4h-11ZM2.500 9.500h11v4h-11ZM5 5.500h.1M5 11.500h.1" />,
  more: <path d="M3 8h.1M8 8h.1M13 8h.1" />,
  queue: <path d="M3 4h10M3 8h10M3 12h6" />,
  users: (
    <>
      <circle cx="8" cy="5.5" r="2.5" />
      <path d="M3 13.5c.6-2.6 2.5-4 5-4s4.400 1.400 5 4" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4" />
      <path d="m10 10 3.500 3.500" />
    </>
  ),
  copy: (
    <>
      <rect x="5.500" y="5.500" width="7.500" height="7.500" rx="1.500" />
      <path d="M10.500 3H4.500A1.500 1.500 0 0 0 3 4.500v6" />
    </>
  ),
  check: <path d="m3.500 8.500 3 3 6-7" />,
  down: <path d="m4.500 6.500 3.500 3.500 3.500-3.500" />,
  back: <path d="M9.500 4 5.500 8l4 4" />,
  next: <path d="M6.500 4l4 4-4 4" />,
  warning: <path d="M8 2.500 14 13H2ZM8 6.500v3M8 11.200v.1" />,
  lock: (
    <>
      <rect x="3.500" y="7" width="9" height="6" rx="1" />
      <path d="M5.500 7V5a2.500 2.500 0 0 1 5 0v2" />
    </>
  ),
  proposals: (
    <>
      <circle cx="5.500" cy="6" r="2" />
      <circle cx="11" cy="6" r="1.500" />
      <path d="M2 13c.4-2 1.700-3.500 3.500-3.500S8.600 11 9 13M11 9.500c1.500 0 2.600 1 3 3" />
    </>
  ),
  larger: <path d="M8 3.500v9M3.500 8h9" />,
  smaller: <path d="M3.500 8h9" />,
  fit: <path d="M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3" />,
  turn: <path d="M12.500 8A4.500 4.500 0 1 1 8 3.500h3.500M9.500 1.500l2 2-2 2" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
} satisfies Record<string, ReactNode>;
export type IconName = keyof typeof paths;

/** A small picture beside a word. It says nothing by itself. */
export function Icon({ name, className = "" }: { name: IconName; className?: string | undefined }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className={`size-4 shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {paths[name]}
    </svg>
  );
}
