/** So much at the same time, and no more. */
export class Room {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** Gives it back, once; null when so much is not left. */
  take(amount: number): (() => void) | null {
    if (amount > this.#left) return null;
    this.#left -= amount;
    let isTaken = true;
    return () => {
      if (isTaken) this.#left += amount;
      isTaken = false;
    };
  }
}
