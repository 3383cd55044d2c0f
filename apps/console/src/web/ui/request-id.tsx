import { shared } from "../lib/words.ts";
import { Copy } from "./copy.tsx";

/** The request that failed, to report it. */
export const RequestId = ({ id }: { id: string | null | undefined }) =>
  id && (
    <p className="flex flex-wrap items-center gap-1 text-13">
      {shared.errors.requestId} <span className="mono break-all">{id}</span>
      <Copy value={id} label={shared.copy.id(id)} />
    </p>
  );
