export const words = {
  proposed: "Nothing has changed yet. Another person confirms it within 24 hours.",
  title: "Proposals",
  lead: "What cannot be taken back needs two people: one proposes it, another one confirms it within 24 hours.",
  leadAlone:
    "Four eyes are off: acts happen at once, without a proposal. What was proposed before still needs another person.",
  kindOf: {
    approve: "Approve a verification",
    relink: "Change a user’s identifiers",
    erase: "Erase a user",
    liftHold: "Lift a legal hold",
  },
  asks: {
    approve: (name: string) => `${name} proposes to approve this verification`,
    relink: (name: string) => `${name} proposes to change this user’s identifiers`,
    erase: (name: string) => `${name} proposes to erase this user`,
    liftHold: (name: string) => `${name} proposes to lift a legal hold`,
  },
  commandLine: "the command line",
  commandLineBy: (name: string) => `${name}, command line`,
  commandLineOf: (name: string) => `${name}, on the command line,`,
  stateOf: {
    waits: "Waits for you",
    open: "Open",
    confirmed: "Confirmed",
    withdrawn: "Withdrawn",
    expired: "Expired",
    void: "Void",
  },
  open: "Proposal",
  columns: {
    state: "State",
    what: "Proposal",
    about: "About",
    platform: "Platform",
    by: "Proposed by",
    end: "Expires or decided",
  },
  expires: "expires",
  moved: "what it is about changed",
  liftVoids: "Other open proposals about this user become void: propose them again if they are still needed.",
  decidedBy: (name: string) => `by ${name}`,
  you: "you",
  empty: "No proposals",
  emptyText:
    "An approval, a change of identifiers, an erasure or a lifted hold comes here until another person decides.",
  emptyAlone: "Four eyes are off, so nothing new comes here.",
  facts: {
    status: "Status",
    cardAccount: "Card account",
    email: "New e-mail",
    memberId: "New member id",
    reference: "Case",
    note: "Note",
    noNote: "The proposer wrote no note.",
    noAccount: "none given",
    stays: "stays",
    expiresAt: "expires",
  },
  confirm: "Confirm",
  confirmDots: "Confirm…",
  confirmWord: "ERASE",
  confirming: "Confirming…",
  withdraw: "Withdraw…",
  refuse: "Refuse…",
  withdrawTitle: "Withdraw your proposal?",
  refuseTitle: "Refuse this proposal?",
  withdrawText: "Nothing is changed. It can be proposed again.",
  refuseText: (name: string) =>
    `Nothing is changed, and ${name} reads that you refused it. It can be proposed again.`,
  withdrawAct: "Withdraw",
  refuseAct: "Refuse",
  confirmed: "Confirmed. It is done.",
  confirmedErase:
    "Confirmed. A worker erases the user within two minutes, unless something still holds it back.",
  withdrawn: "Withdrawn. Nothing was changed.",
  looked: {
    both: (name: string) => `You and ${name} have opened the evidence.`,
    they: (name: string) =>
      `${name} has opened the evidence, and you have not. Look at it before you confirm it.`,
    you: (name: string) =>
      `You have opened the evidence, and ${name} has not. Nobody can confirm it before both have.`,
    neither: (name: string) =>
      `Neither you nor ${name} has opened the evidence. Nobody can confirm it before both have.`,
  },
  ownLooked: {
    yes: "You have opened the evidence. Whoever confirms it has to open it too.",
    no: "You have not opened the evidence. Nobody can confirm it before you do.",
  },
  mayNotOwn: "You proposed it, so another person has to confirm it.",
  mayNotRole: "Your role may not confirm it. Compliance may.",
  conflict: {
    "same-person": "You proposed it, so you cannot confirm it. Ask a colleague of compliance.",
    "proposer-blocked":
      "The person who proposed it is blocked, so the proposal is void. Nothing was changed.",
    "evidence-not-opened":
      "You have not opened the evidence as it is now. Nothing was changed. Look at it, and confirm it then.",
    "proposer-evidence-not-opened":
      "The person who proposed it has not opened the evidence as it is now. Nothing was changed. Ask them to look at it.",
    decided: "Somebody decided it a moment ago. You see the new state.",
    expired:
      "It expired before you confirmed it. Nothing was changed. If it is still needed, propose it again.",
    changed:
      "What the proposer saw has changed, so the proposal is void. Nothing was changed. Look at it again, and propose it again if it is still right.",
  },
  noticeWaits: "It waits for another person.",
} as const;
