/** A place where a browser may be. `source` says how it was found, for people. */
export interface Candidate {
  readonly path: string;
  readonly source: string;
}
