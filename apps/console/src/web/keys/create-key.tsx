import type { RouterInputs, RouterOutputs } from "@cardbridge/trpc-client";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { client } from "../api/client.ts";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { Check, ChoiceField, TextField } from "../ui/form-fields.tsx";
import { type Days, Expiry, expiryOf } from "./expiry.tsx";
import { words } from "./words.ts";

interface Props {
  platform: string | undefined;
  onClose(): void;
  onCreated(created: RouterOutputs["keys"]["create"]): void;
}

/** Creates a key for a platform or for an internal app. */
export function CreateKey({ platform, onClose, onCreated }: Props) {
  const { me } = useMe();
  const [platformId, setPlatformId] = useState(platform ?? me?.platforms[0]?.platformId ?? "internal");
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<KeyScope[]>([]);
  const [days, setDays] = useState<Days>("90");
  const mutation = useMutation({
    // The secret leaves the memory with its dialog.
    gcTime: 0,
    mutationFn: () =>
      client.keys.create.mutate({
        ...{ platformId, name: name.trim(), scopes },
        expiresAt: expiryOf(days, platformId === "internal"),
      }),
    onSuccess: onCreated,
  });
  const options = [
    ...(me?.platforms.map((each) => ({ value: each.platformId, text: each.name })) ?? []),
    { value: "internal", text: shared.platforms.internal },
  ];
  const holder = options.find(({ value }) => value === platformId)?.text;
  return (
    <ActDialog
      title={words.create}
      happens={words.createText(holder)}
      act={words.create}
      ready={holder !== undefined && name.trim() !== "" && scopes.length > 0}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      recent
      onClose={onClose}
    >
      <ChoiceField
        label={words.platform}
        value={platformId}
        options={options}
        onChange={(next) => {
          setPlatformId(next);
          if (next !== "internal") setScopes(scopes.filter((scope) => !scope.startsWith("ops.")));
        }}
      />
      <TextField label={words.name} help={words.nameHint} value={name} maxLength={64} onChange={setName} />
      <Scopes internal={platformId === "internal"} chosen={scopes} onChange={setScopes} />
      <Expiry value={days} internal={platformId === "internal"} onChange={setDays} />
    </ActDialog>
  );
}

type KeyScope = RouterInputs["keys"]["create"]["scopes"][number];
const all = Object.keys(words.scopeOf) as KeyScope[];

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
