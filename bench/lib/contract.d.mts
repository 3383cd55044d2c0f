/** For the peers, which are TypeScript. */
export declare const credentials: Record<string, string>;
export declare const cardFields: readonly string[];
export declare function sign(
  method: string,
  path: string,
  query: string,
  body?: string,
): Record<string, string>;
