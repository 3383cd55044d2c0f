import { skipToken, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/client.ts";
import { withoutAbsent } from "../lib/search-params.ts";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { PlatformTabs } from "../platforms/tabs.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { PlatformFilter } from "../ui/filters.tsx";
import { Head } from "../ui/head.tsx";
import { ListState } from "../ui/list-state.tsx";
import { Page } from "../ui/page.tsx";
import { SecretDialog } from "../ui/secret-dialog.tsx";
import { Select } from "../ui/select.tsx";
import { CreateKey } from "./create-key.tsx";
import { type KeysSearch, keyStates, toKeysInput } from "./filter.ts";
import { type ApiKey, KeysTable } from "./keys-table.tsx";
import { RevokeKey } from "./revoke-key.tsx";
import { RotateKey } from "./rotate-key.tsx";
import { words } from "./words.ts";

/** What is open over the list. */
type Open =
  | { act: "create" }
  | { act: "rotate" | "revoke"; key: ApiKey }
  | { act: "show"; title: string; secret: string; text?: string };

/** The keys of a platform or of all of them. */
export function KeysPage() {
  const search = useSearch({ from: "/platforms/keys" });
  const { me, may } = useMe();
  // Only persons with access to all platforms may list the keys of all.
  const platform = search.platform ?? (me?.allPlatforms === false ? me.platforms[0]?.platformId : undefined);
  const input = toKeysInput(withoutAbsent({ ...search, platform }));
  const keys = useQuery(api.keys.list.queryOptions(me ? input : skipToken));
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const show = (title: string, secret: string, text?: string) => {
    setOpen({ act: "show", title, secret, ...(text !== undefined && { text }) });
    void keys.refetch();
  };
  return (
    <Page>
      <Head title={words.title} lead={words.lead}>
        {may("ops.keys") && (
          <Button kind="primary" onClick={() => setOpen({ act: "create" })}>
            {words.create}
          </Button>
        )}
      </Head>
      <PlatformTabs />
      <KeyFilters search={search} />
      <ListState
        query={keys}
        empty={keys.data?.keys.length === 0}
        nothing={{ title: words.empty, text: words.emptyText }}
      >
        <KeysTable keys={keys.data?.keys} onAct={(act, key) => setOpen({ act, key })} />
      </ListState>
      {keys.data?.more && <p className="mt-3 text-13 text-muted">{words.more}</p>}
      {open?.act === "create" && (
        <CreateKey
          platform={platform}
          onClose={close}
          onCreated={({ name, key }) => show(words.createdTitle(name), key)}
        />
      )}
      {open?.act === "rotate" && (
        <RotateKey
          apiKey={open.key}
          onClose={close}
          onRotated={(key, until) => show(words.rotatedTitle(open.key.name), key, words.rotatedText(until))}
        />
      )}
      {open?.act === "revoke" && (
        <RevokeKey apiKey={open.key} onClose={close} onRevoked={() => void keys.refetch()} />
      )}
      {open?.act === "show" && <SecretDialog {...open} onClose={close} />}
    </Page>
  );
}

/** The filters of the keys. */
function KeyFilters({ search }: { search: KeysSearch }) {
  const navigate = useNavigate();
  const set = (fields: { [Name in keyof KeysSearch]: KeysSearch[Name] | undefined }) =>
    void navigate({ to: "/platforms/keys", search: withoutAbsent({ ...search, ...fields }) as KeysSearch });
  const any = { value: "" as const, text: shared.queue.any };
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      <PlatformFilter value={search.platform} withInternal onChange={(platform) => set({ platform })} />
      <Select
        label={words.state}
        value={search.state ?? "live"}
        neutral="live"
        options={[
          ...keyStates.map((value) => ({ value, text: words.stateOf[value] })),
          { value: "any", text: shared.queue.any },
        ]}
        onChange={(state) => set({ state: state === "live" ? undefined : (state as "any") })}
      />
      <Select
        label={words.expiring}
        value={search.expiring ? "soon" : ""}
        options={[any, { value: "soon", text: words.expiringOf }]}
        onChange={(value) => set({ expiring: value ? true : undefined })}
      />
      <Select
        label={words.unused}
        value={search.unused ? "long" : ""}
        options={[any, { value: "long", text: words.unusedOf }]}
        onChange={(value) => set({ unused: value ? true : undefined })}
      />
      {Object.keys(search).length > 0 && (
        <Link to="/platforms/keys" search={{}} className={buttonClass("quiet")}>
          {words.clear}
        </Link>
      )}
    </div>
  );
}
