/** A request that may be worked on holds a place until it calls `leave`; further calls do nothing. */
export type ReleaseAdmission = () => void;

export interface Admission {
  /**
   * Waits for a place in the queue of `key`; null if none is free in time and the request must be
   * refused. `isGone`: true once the client has hung up.
   */
  enter(key: string, isGone: () => boolean): Promise<ReleaseAdmission | null>;
}

export interface AdmissionLimits {
  /** Requests processed concurrently. */
  slots: number;
  /** Requests that wait for a slot, across all clients. */
  waiting: number;
  /** How long a request waits at most. */
  waitMs: number;
  /**
   * How long a request keeps its place at most: one that is still being sent or read needs the
   * network and not the processor, and one whose sender hung up never ends.
   */
  slotMs: number;
}

/**
 * Enough that a flood delays no step of a request by more than a few milliseconds, and that batches
 * of orders stay large. Two thousand clients of one address may wait, as a class does after a
 * restart.
 */
export const admissionLimits: AdmissionLimits = {
  slots: 128,
  waiting: 4_096,
  waitMs: 8_000,
  slotMs: 1_000,
};

interface QueuedRequest {
  key: string;
  isGone: () => boolean;
  resolve: (leave: ReleaseAdmission | null) => void;
  timer: NodeJS.Timeout;
}

/**
 * Admits requests to the event loop: a number of them concurrently, the others in turn. Keys take
 * turns, so that a client with many requests waits for its own. When all waiting places are taken,
 * the longest queue gives one up.
 */
export function createAdmission(limits: AdmissionLimits = admissionLimits): Admission {
  /** In the order of their turns; no queue is empty. */
  const queues = new Map<string, QueuedRequest[]>();
  let activeCount = 0;
  let waitingCount = 0;

  const admit = (): ReleaseAdmission => {
    activeCount += 1;
    let hasLeft = false;
    const leave = () => {
      if (hasLeft) return;
      hasLeft = true;
      clearTimeout(timer);
      activeCount -= 1;
      admitNext();
    };
    const timer = setTimeout(leave, limits.slotMs);
    return leave;
  };

  const admitNext = () => {
    while (activeCount < limits.slots) {
      const next = takeTurn();
      if (!next) return;
      clearTimeout(next.timer);
      next.resolve(next.isGone() ? null : admit());
    }
  };

  const takeTurn = (): QueuedRequest | null => {
    const [nextQueue] = queues;
    if (!nextQueue) return null;
    const [key, queue] = nextQueue;
    const next = queue.shift()!;
    waitingCount -= 1;
    queues.delete(key);
    if (queue.length > 0) queues.set(key, queue);
    return next;
  };

  const refuse = (request: QueuedRequest) => {
    const queue = queues.get(request.key);
    const index = queue?.indexOf(request) ?? -1;
    if (!queue || index < 0) return;
    queue.splice(index, 1);
    if (queue.length === 0) queues.delete(request.key);
    waitingCount -= 1;
    clearTimeout(request.timer);
    request.resolve(null);
  };

  /** Frees a waiting place for `key`; false if its own queue is among the longest. */
  const makeRoom = (key: string): boolean => {
    if (waitingCount < limits.waiting) return true;
    let longestQueue: QueuedRequest[] = [];
    for (const queue of queues.values())
      if (queue.length > longestQueue.length) longestQueue = queue;
    if ((queues.get(key)?.length ?? 0) + 1 >= longestQueue.length) return false;
    refuse(longestQueue.at(-1)!);
    return true;
  };

  return {
    enter: (key, isGone) => {
      if (activeCount < limits.slots) return Promise.resolve(admit());
      if (!makeRoom(key)) return Promise.resolve(null);
      return new Promise((resolve) => {
        const request: QueuedRequest = {
          key,
          isGone,
          resolve,
          timer: setTimeout(() => refuse(request), limits.waitMs),
        };
        const queue = queues.get(key);
        if (queue) queue.push(request);
        else queues.set(key, [request]);
        waitingCount += 1;
      });
    },
  };
}
