/** One thing that was looked at, in one line each. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** What was found. */
  readonly says: string;
  /** What to do about it; null when nothing is to be done. Of what is `ok`: a warning. */
  readonly mend: string | null;
}
