/** The number of calls per window. After a pause, all of them may arrive at once. */
export interface Rate {
  calls: number;
  seconds: number;
}
