/** A card for `PUT /_cards`. */
export function card(cardId: string, createdAt: string | null, more: object = {}) {
  return { userReference: "usr_1", cardId, status: "active", createdAt, ...more };
}
