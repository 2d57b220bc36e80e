/**
 * Batches many small reads: keys requested while a read is in flight are read together in the next
 * one. Every read starts after its keys were requested, so no caller gets an older answer than its
 * own query would give. Without load each key is read alone, immediately.
 */
export function batchReads<Key, Value>(
  readMany: (keys: Key[]) => Promise<ReadonlyMap<Key, Value>>,
  keysMax = 1_000,
): (key: Key) => Promise<Value | undefined> {
  interface PendingRead {
    key: Key;
    resolve: (value: Value | undefined) => void;
    reject: (error: unknown) => void;
  }
  let queue: PendingRead[] = [];
  let busy = false;
  const run = async () => {
    while (queue.length > 0) {
      const batch = queue.slice(0, keysMax);
      queue = queue.slice(keysMax);
      try {
        const values = await readMany([...new Set(batch.map(({ key }) => key))]);
        for (const { key, resolve } of batch) resolve(values.get(key));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    busy = false;
  };
  return (key) =>
    new Promise((resolve, reject) => {
      queue.push({ key, resolve, reject });
      if (busy) return;
      busy = true;
      // Deferred past this turn of the event loop, so that keys arriving in it share a batch.
      setImmediate(() => void run());
    });
}
