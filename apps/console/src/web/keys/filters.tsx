import { Link, useNavigate } from "@tanstack/react-router";
import { withoutAbsent } from "../lib/search-params.ts";
import { useMe } from "../lib/use-me.ts";
import { buttonClass } from "../ui/button.tsx";
import { Select } from "../ui/select.tsx";
import { words } from "../words.ts";
import { type KeysSearch, keyStates } from "./filter.ts";

const { apiKeys: say, queue } = words;

/** The filters of the keys. */
export function KeyFilters({ search }: { search: KeysSearch }) {
  const { me } = useMe();
  const navigate = useNavigate();
  const set = (fields: { [Name in keyof KeysSearch]: KeysSearch[Name] | undefined }) =>
    void navigate({ to: "/platforms/keys", search: withoutAbsent({ ...search, ...fields }) as KeysSearch });
  const any = { value: "" as const, text: queue.any };
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      <Select
        label={say.platform}
        value={search.platform ?? ""}
        options={[
          any,
          ...(me?.platforms.map(({ platformId, name }) => ({ value: platformId, text: name })) ?? []),
          { value: "internal", text: words.platforms.internal },
        ]}
        onChange={(platform) => set({ platform })}
      />
      <Select
        label={say.state}
        value={search.state ?? "live"}
        neutral="live"
        options={[
          ...keyStates.map((value) => ({ value, text: say.stateOf[value] })),
          { value: "any", text: queue.any },
        ]}
        onChange={(state) => set({ state: state === "live" ? undefined : (state as "any") })}
      />
      <Select
        label={say.expiring}
        value={search.expiring ? "soon" : ""}
        options={[any, { value: "soon", text: say.expiringOf }]}
        onChange={(value) => set({ expiring: value ? true : undefined })}
      />
      <Select
        label={say.unused}
        value={search.unused ? "long" : ""}
        options={[any, { value: "long", text: say.unusedOf }]}
        onChange={(value) => set({ unused: value ? true : undefined })}
      />
      {Object.keys(search).length > 0 && (
        <Link to="/platforms/keys" search={{}} className={buttonClass("quiet")}>
          {say.clear}
        </Link>
      )}
    </div>
  );
}
