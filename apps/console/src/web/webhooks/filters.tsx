import { Link, useNavigate } from "@tanstack/react-router";
import { withins, withoutAbsent } from "../lib/search-params.ts";
import { useMe } from "../lib/use-me.ts";
import { buttonClass } from "../ui/button.tsx";
import { IdFilter } from "../ui/id-filter.tsx";
import { Select } from "../ui/select.tsx";
import { words } from "../words.ts";
import { type DeliveriesSearch, deliveryStates, eventTypes } from "./filter.ts";

const { webhooks: say, queue } = words;

/** The filters of the deliveries. */
export function DeliveryFilters({ search }: { search: DeliveriesSearch }) {
  const { me } = useMe();
  const navigate = useNavigate();
  const set = (fields: { [Name in keyof DeliveriesSearch]?: DeliveriesSearch[Name] | undefined }) =>
    void navigate({ to: "/webhooks", search: withoutAbsent({ ...search, ...fields }) as DeliveriesSearch });
  const any = { value: "" as const, text: queue.any };
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      <IdFilter
        label={say.find}
        act={say.findAct}
        wrong={say.findWrong}
        value={search.record ?? search.endpoint ?? ""}
        accepts={(id) => /^(kyc|whe)_[A-Za-z0-9_]+$/.test(id)}
        onFind={(id) =>
          set({
            record: id.startsWith("kyc_") ? id : undefined,
            endpoint: id.startsWith("whe_") ? id : undefined,
          })
        }
      />
      <Select
        label={say.status}
        value={search.status ?? ""}
        options={[any, ...deliveryStates.map((value) => ({ value, text: say.statusOf[value] }))]}
        onChange={(status) => set({ status })}
      />
      <Select
        label={say.platform}
        value={search.platform ?? ""}
        options={[
          any,
          ...(me?.platforms.map(({ platformId, name }) => ({ value: platformId, text: name })) ?? []),
        ]}
        onChange={(platform) => set({ platform })}
      />
      <Select
        label={say.type}
        value={search.type ?? ""}
        options={[any, ...eventTypes.map((value) => ({ value, text: say.typeOf[value] }))]}
        onChange={(type) => set({ type })}
      />
      <Select
        label={say.within}
        value={search.within ?? ""}
        options={[
          { value: "", text: queue.anyTime },
          ...withins.map((value) => ({ value, text: words.queue.withinOf[value] })),
        ]}
        onChange={(within) => set({ within })}
      />
      {Object.keys(search).length > 0 && (
        <Link to="/webhooks" search={{}} className={buttonClass("quiet")}>
          {say.clear}
        </Link>
      )}
    </div>
  );
}
