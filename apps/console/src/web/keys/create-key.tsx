import type { RouterInputs, RouterOutputs } from "@cardbridge/trpc-client";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { client } from "../api/client.ts";
import { useMe } from "../lib/use-me.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { Check, TextField } from "../ui/form-fields.tsx";
import { type Days, Expiry, expiryOf } from "./expiry.tsx";
import { words as keys } from "./words.ts";

const words = {
  create: "New key",
  createText: (owner: string) => `The key is for ${owner}. It is shown once, after it is created.`,
  nameHint: "What it is for, such as “backend”. Two live keys of a platform never share a name.",
  scopes: "What it may do",
  noScopes: "Tick at least one.",
} as const;

interface Props {
  platformId: string;
  /** The platform's name. */
  owner: string;
  onClose(): void;
  onCreated(created: RouterOutputs["keys"]["create"]): void;
}

/** Creates a key for a platform or for an internal app. */
export function CreateKey({ platformId, owner, onClose, onCreated }: Props) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<KeyScope[]>([]);
  const [days, setDays] = useState<Days>("90");
  const internal = platformId === "internal";
  const mutation = useMutation({
    // The secret leaves the memory with its dialog.
    gcTime: 0,
    mutationFn: () =>
      client.keys.create.mutate({
        ...{ platformId, name: name.trim(), scopes },
        expiresAt: expiryOf(days, internal),
      }),
    onSuccess: onCreated,
  });
  return (
    <ActDialog
      title={words.create}
      happens={words.createText(owner)}
      act={words.create}
      ready={name.trim() !== "" && scopes.length > 0}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      recent
      onClose={onClose}
    >
      <TextField label={keys.name} help={words.nameHint} value={name} maxLength={64} onChange={setName} />
      <Scopes internal={internal} chosen={scopes} onChange={setScopes} />
      <Expiry value={days} internal={internal} onChange={setDays} />
    </ActDialog>
  );
}

type KeyScope = RouterInputs["keys"]["create"]["scopes"][number];
const all = Object.keys(keys.scopeOf) as KeyScope[];

interface ScopesProps {
  internal: boolean;
  chosen: readonly KeyScope[];
  onChange(scopes: KeyScope[]): void;
}

/** What a key may do. Keys of internal apps get only those scopes of operators that the person has. */
function Scopes({ internal, chosen, onChange }: ScopesProps) {
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
            {keys.scopeOf[scope]} <span className="mono block text-12 text-muted">{scope}</span>
          </Check>
        ))}
      </div>
      <p id={id} className="text-13 text-muted">
        {chosen.length === 0 && words.noScopes}
      </p>
    </fieldset>
  );
}
