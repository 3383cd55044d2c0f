import { platformScope } from "@cardbridge/domain";
import { demoKeys } from "../../admission/api-key.ts";

/*
 * The demo data, identical on every machine. The users' ids at the provider are fixed, in the format of generated ids.
 */

interface DemoCard {
  cardId: string;
  status: string;
  memberId?: string;
  createdAt: string;
  last4: string;
}

interface DemoUser {
  memberId: string;
  email: string;
  externalUserId: string;
  cards: DemoCard[];
}

const firstDay = Date.UTC(2026, 0, 1, 9);
const day = 24 * 3_600_000;

/** Creates demo card `number`. A higher number has a later date. */
function card(number: number, status: string, memberId?: string): DemoCard {
  return {
    cardId: `card_demo_${String(number).padStart(4, "0")}`,
    status,
    ...(memberId === undefined ? {} : { memberId }),
    createdAt: new Date(firstDay + (number % 100) * day).toISOString(),
    last4: String(4_000 + number),
  };
}

const knownStatuses = ["active", "locked", "lost", "inactive"];

const firstUsers: DemoUser[] = [
  {
    memberId: "alice",
    email: "alice@demo.cardbridge.test",
    externalUserId: "usr_6c5r2t0x9m8n3qk7vdzh1e4w5p",
    cards: knownStatuses.map((status, index) => card(index + 1, status)),
  },
  {
    memberId: "bob",
    email: "bob@demo.cardbridge.test",
    externalUserId: "usr_2wq8k4n6t1r9d3x7b5mzc0ey4j",
    cards: Array.from({ length: 45 }, (_, index) => card(101 + index, index % 3 === 2 ? "locked" : "active")),
  },
  {
    memberId: "carol",
    email: "carol@demo.cardbridge.test",
    externalUserId: "usr_7pd1m9x3c6k0t5w2rnvq8hzb4e",
    cards: [],
  },
  {
    memberId: "dave",
    email: "dave@demo.cardbridge.test",
    externalUserId: "usr_3zt7b0e5h9y2k6q4dxwm1nrc8v",
    cards: [
      card(301, "active", "someone-else"),
      card(302, "active"),
      card(303, "suspended_by_issuer", "dave"),
    ],
  },
];

const secondUsers: DemoUser[] = [
  {
    memberId: "alice",
    email: "alice@second.cardbridge.test",
    externalUserId: "usr_5n4y8j2c7v0e6t1q9kxbd3mzhw",
    cards: [card(401, "active"), card(402, "lost")],
  },
];

export const demoPlatforms = [
  { id: "plt_demo_one", name: "Demo One", key: demoKeys.first, users: firstUsers },
  { id: "plt_demo_two", name: "Demo Two", key: demoKeys.second, users: secondUsers },
].map((platform) => ({ ...platform, keyId: `key_${platform.id}`, scopes: platformScope.options }));

/** Every demo card in the provider's format. */
export const demoCards = [...firstUsers, ...secondUsers].flatMap((user) =>
  user.cards.map((demo) => ({
    ...demo,
    userReference: user.externalUserId,
    cardAccountId: `acct_demo_${user.externalUserId.slice(-4)}`,
    type: "virtual",
    network: "visa",
    expiryMonth: 5,
    expiryYear: 2031,
    nameOnCard: `${user.email.split("@")[0]?.toUpperCase()} DEMO`,
    currency: "USD",
  })),
);
