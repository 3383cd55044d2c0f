/** The SDK's models of requests and responses. `test/models` generates `schemas.json` from them. */
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
  "RfiSessionDto",
  "PagedRfiSessionQueryResultDto",
  "RfiResponseDto",
] as const;

export type Model = (typeof models)[number];
