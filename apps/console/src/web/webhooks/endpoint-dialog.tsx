import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../api/client.ts";
import { useMe } from "../lib/use-me.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { Check, ChoiceField, TextField } from "../ui/form-fields.tsx";
import type { Endpoint } from "./describe.ts";
import { subscribedTypes as types } from "./filter.ts";
import { words } from "./words.ts";

const { endpoints: say, typeOf } = words;

interface Props {
  /** Absent if it is to be chosen. */
  platformId?: string;
  /** Absent for a new one. */
  endpoint?: Endpoint;
  onClose(): void;
  /** Called with the secret of a new endpoint. */
  onDone(secret?: string): void;
}

/** Creates an endpoint, or changes one. */
export function EndpointDialog({ platformId: given, endpoint, onClose, onDone }: Props) {
  const platforms = useMe().me?.platforms ?? [];
  const [chosenPlatform, choosePlatform] = useState(
    given ?? (platforms.length === 1 ? platforms[0]?.platformId : ""),
  );
  const platformId = given ?? chosenPlatform ?? "";
  const [url, setUrl] = useState(endpoint?.url ?? "");
  const [chosen, choose] = useState<readonly string[]>(endpoint?.eventTypes ?? types);
  const [description, setDescription] = useState(endpoint?.description ?? "");
  const mutation = useMutation({
    // The secret leaves the memory with its dialog.
    gcTime: 0,
    mutationFn: async () => {
      const fields = {
        platformId,
        url: url.trim(),
        eventTypes: types.filter((type) => chosen.includes(type)),
        description: description.trim() || null,
      };
      if (!endpoint) return (await client.webhooks.create.mutate(fields)).secret;
      await client.webhooks.update.mutate({ ...fields, endpointId: endpoint.endpointId });
      return undefined;
    },
    onSuccess: (secret) => onDone(secret),
  });
  return (
    <ActDialog
      title={endpoint ? say.editTitle : words.create}
      {...(!endpoint && { happens: say.createText })}
      act={endpoint ? words.save : words.create}
      ready={platformId !== "" && url.trim() !== "" && chosen.length > 0}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    >
      {given === undefined && (
        <ChoiceField
          label={words.platform}
          value={platformId}
          options={platforms.map((each) => ({ value: each.platformId, text: each.name }))}
          onChange={choosePlatform}
        />
      )}
      <TextField label={say.url} help={say.urlHint} value={url} inputMode="url" onChange={setUrl} />
      <fieldset>
        <legend className="mb-1 text-13 text-muted">{say.types}</legend>
        {types.map((type) => (
          <Check
            key={type}
            checked={chosen.includes(type)}
            onChange={(on) => choose(on ? [...chosen, type] : chosen.filter((one) => one !== type))}
          >
            {typeOf[type]} <span className="mono text-12 text-muted">{type}</span>
          </Check>
        ))}
      </fieldset>
      <TextField
        label={say.description}
        help={say.descriptionHint}
        value={description}
        maxLength={256}
        onChange={setDescription}
      />
    </ActDialog>
  );
}
