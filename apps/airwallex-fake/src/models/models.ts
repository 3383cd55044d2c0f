/** The SDK's models of what this fake reads and sends. `schemas.json` is made from them by `test/models`. */
export const models = [
  "Token",
  "FileInformation",
  "IssuingNonPciNewCardholderRequestDto",
  "IssuingNonPciUpdateCardholderRequestDto",
  "IssuingNonPciCardholderResponseDto",
  "IssuingNonPciQueryResultOfIssuingNonPciCardholderResponseDto",
  "IssuingNonPciDeleteCardholderResponseDto",
  "IssuingNonPciCardDto",
  "IssuingNonPciQueryResultOfIssuingNonPciCardSummaryDto",
  "IssuingNonPciErrorResponse",
] as const;

export type Model = (typeof models)[number];
