import type { RouterInputs } from "@cardbridge/trpc-client";
import { useId } from "react";
import { useMe } from "../lib/use-me.ts";
import { Check } from "../ui/form-fields.tsx";
import { words } from "./words.ts";

export type KeyScope = RouterInputs["keys"]["create"]["scopes"][number];
const all = Object.keys(words.scopeOf) as KeyScope[];

interface Props {
  internal: boolean;
  chosen: readonly KeyScope[];
  onChange(scopes: KeyScope[]): void;
}

/** What a key may do. Keys of internal apps get only those scopes of operators that the person has. */
export function Scopes({ internal, chosen, onChange }: Props) {
  const id = useId();
  const { me } = useMe();
  const offered = all.filter(
    (scope) => !scope.startsWith("ops.") || (internal && me?.scopes.some((own) => own === scope)),
  );
  return (
    <fieldset aria-describedby={id}>
      <legend className="mb-1 text-13 text-muted">{words.scopes}</legend>
      <div className="grid gap-x-4 sm:grid-cols-2">
        {offered.map((scope) => (
          <Check
            key={scope}
            checked={chosen.includes(scope)}
            onChange={(on) => onChange(on ? [...chosen, scope] : chosen.filter((one) => one !== scope))}
          >
            {words.scopeOf[scope]} <span className="mono block text-12 text-muted">{scope}</span>
          </Check>
        ))}
      </div>
      <p id={id} className="text-13 text-muted">
        {chosen.length === 0 && words.noScopes}
      </p>
    </fieldset>
  );
}
