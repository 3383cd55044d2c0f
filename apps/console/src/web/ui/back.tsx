import { Link, type LinkProps } from "@tanstack/react-router";
import { Icon } from "./icon.tsx";

/** The way back to the list above a view. */
export const Back = ({ name, link }: { name: string; link: LinkProps }) => (
  <Link
    {...link}
    className="-ml-1.5 mb-3 inline-flex h-9 items-center gap-1 rounded px-1.5 text-muted hover:text-text"
  >
    <Icon name="back" />
    {name}
  </Link>
);
