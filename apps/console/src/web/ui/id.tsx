import { Link, type LinkProps } from "@tanstack/react-router";
import { shortId } from "../lib/ids.ts";
import { shared } from "../lib/words.ts";
import { Copy } from "./copy.tsx";

interface Props {
  id: string;
  /** Where the id leads. */
  to?: LinkProps | undefined;
}

/** An id: short to read, whole on copy. */
export function Id({ id, to }: Props) {
  const text = (
    <span title={id} className="mono">
      {shortId(id)}
    </span>
  );
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      {to ? (
        <Link
          {...to}
          className="rounded text-accent underline decoration-accent-line underline-offset-3 hover:decoration-accent"
        >
          {text}
        </Link>
      ) : (
        text
      )}
      <Copy value={id} label={shared.copy.id(shortId(id))} />
    </span>
  );
}
