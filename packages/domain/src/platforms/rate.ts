/** The number of calls per window. After a pause, all of them may come at once. */
export interface Rate {
  calls: number;
  seconds: number;
}
