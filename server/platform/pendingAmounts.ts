/**
 * Sums the amounts that this process's running requests would take, by key: the database does not
 * show them yet, and two concurrent requests could both take the last of it.
 */
export function createPendingAmounts() {
  const amounts = new Map<string, bigint>();
  /** Runs `work` with what others under way take of `key`. */
  return async <Result>(
    key: string,
    amount: bigint,
    work: (others: bigint) => Promise<Result>,
  ): Promise<Result> => {
    const others = amounts.get(key) ?? 0n;
    amounts.set(key, others + amount);
    try {
      return await work(others);
    } finally {
      const rest = (amounts.get(key) ?? 0n) - amount;
      if (rest === 0n) amounts.delete(key);
      else amounts.set(key, rest);
    }
  };
}
