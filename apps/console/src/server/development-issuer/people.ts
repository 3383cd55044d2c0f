/** The persons of the development issuer: one for each role, and a second one for what needs two. */
export const people = [
  { id: "vera", name: "Vera Viewer", role: "viewer", may: "Reads records." },
  {
    id: "sam",
    name: "Sam Support",
    role: "support",
    may: "Finds users, refreshes, resends and assigns records.",
  },
  {
    id: "cleo",
    name: "Cleo Compliance",
    role: "compliance",
    may: "Decides, and sees evidence and the audit.",
  },
  {
    id: "cora",
    name: "Cora Compliance",
    role: "compliance",
    may: "Confirms what Cleo proposes.",
  },
  {
    id: "omar",
    name: "Omar Operator",
    role: "operator",
    may: "Cares for webhooks, platforms and encryption.",
  },
  {
    id: "ada",
    name: "Ada Administrator",
    role: "administrator",
    may: "Manages keys, persons and platforms.",
  },
] as const;

export type DevelopmentPerson = (typeof people)[number];

export const personOf = (id: string | null | undefined): DevelopmentPerson | undefined =>
  people.find((person) => person.id === id);
