/** Whether a method is one of those that change nothing. */
export const isReading = (method: string): boolean => method === "GET" || method === "HEAD";
