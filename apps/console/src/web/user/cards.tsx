import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { shownError } from "../api/problem.ts";
import type { Card as CardFacts } from "../api/shapes.ts";
import { shared } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Card, Section } from "../ui/section.tsx";
import { Bar, Empty, ErrorState } from "../ui/states.tsx";
import { type Column, Table } from "../ui/table.tsx";

const words = {
  cards: "Cards",
  cardsNote: "From the provider, as it reports them now.",
  cardsEmpty: "No cards",
  cardsEmptyText:
    "The provider lists cards here once a verification is approved and the platform orders one.",
  cardsAway: "The provider cannot be reached",
  cardsAwayText: "Nothing is lost. Everything else on this page is from our own records.",
  card: { number: "Card", status: "Status", expiry: "Expires", network: "Network" },
  ending: (last4: string) => `•••• ${last4}`,
  totalCards: (n: number, shown: number) => `${shown} of ${n} cards`,
} as const;

/** A user's cards as the provider reports them now. */
export function Cards({ reference }: { reference: { platformId: string; externalUserId: string } }) {
  const { data, error, isFetching, refetch } = useQuery(
    api.users.cards.queryOptions({ ...reference, page: 1, pageSize: 50 }, { retry: false }),
  );
  const away =
    error && shownError(error).kind === "unavailable" && shownError(error).code?.startsWith("PROVIDER");
  return (
    <Section
      title={words.cards}
      aside={<span className="text-right text-13 text-muted">{words.cardsNote}</span>}
    >
      <Card>
        {away ? (
          <Empty title={words.cardsAway} text={words.cardsAwayText}>
            <Button disabled={isFetching} onClick={() => void refetch()}>
              {shared.retry}
            </Button>
          </Empty>
        ) : error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <div className="p-4">
            <Bar className="h-9 w-full" />
          </div>
        ) : data.items.length === 0 ? (
          <Empty title={words.cardsEmpty} text={words.cardsEmptyText} />
        ) : (
          <Table
            label={words.cards}
            columns={columns}
            rows={data.items}
            keyOf={({ cardId }) => cardId}
            room="compact"
          />
        )}
      </Card>
      {data && data.total > data.items.length && (
        <p className="mt-1 text-13 text-muted">{words.totalCards(data.total, data.items.length)}</p>
      )}
    </Section>
  );
}

const { card } = words;

const columns: Column<CardFacts>[] = [
  {
    name: card.number,
    cell: ({ cardId, last4 }) => (
      <span className="mono" title={cardId}>
        {last4 === null ? shared.none : words.ending(last4)}
      </span>
    ),
  },
  { name: card.status, wide: true, cell: ({ status }) => <span className="mono">{status}</span> },
  { name: card.network, cell: ({ network }) => network ?? shared.none },
  {
    name: card.expiry,
    right: true,
    cell: ({ expiryMonth, expiryYear }) => (
      <span className="mono">
        {expiryMonth === null || expiryYear === null
          ? shared.none
          : `${String(expiryMonth).padStart(2, "0")}/${String(expiryYear).slice(-2)}`}
      </span>
    ),
  },
];
