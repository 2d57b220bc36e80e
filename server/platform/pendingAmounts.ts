/**
 * Sums the amounts that this process's running requests would take, by key: the database does not
 * show them yet, and two concurrent requests could both take the last of it.
 */
export function createPendingAmounts() {
  const amounts = new Map<string, bigint>();
  /** Runs `work` with the sum that other running requests would take of `key`. */
  return async <Result>(
    key: string,
    amount: bigint,
    work: (otherAmount: bigint) => Promise<Result>,
  ): Promise<Result> => {
    const otherAmount = amounts.get(key) ?? 0n;
    amounts.set(key, otherAmount + amount);
    try {
      return await work(otherAmount);
    } finally {
      const rest = (amounts.get(key) ?? 0n) - amount;
      if (rest === 0n) amounts.delete(key);
      else amounts.set(key, rest);
    }
  };
}
