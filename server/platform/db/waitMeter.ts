/** Measures how long callers wait for a pooled resource, such as a connection. */
export interface WaitMeter {
  /** Begins a wait; the returned function ends it. */
  begin(): () => void;
  /** The longest wait of the last half to whole minute, in real milliseconds; one that lasts counts. */
  longestMs(): number;
}

const spanMs = 30_000;

export function createWaitMeter(nowMs: () => number = () => performance.now()): WaitMeter {
  const began = new Set<{ atMs: number }>();
  let [spanBeganMs, current, previous] = [nowMs(), 0, 0];
  const advanceSpan = () => {
    const elapsedSpans = Math.floor((nowMs() - spanBeganMs) / spanMs);
    if (elapsedSpans <= 0) return;
    previous = elapsedSpans === 1 ? current : 0;
    current = 0;
    spanBeganMs += elapsedSpans * spanMs;
  };
  return {
    begin: () => {
      const wait = { atMs: nowMs() };
      began.add(wait);
      return () => {
        if (!began.delete(wait)) return;
        advanceSpan();
        current = Math.max(current, nowMs() - wait.atMs);
      };
    },
    longestMs: () => {
      advanceSpan();
      // In order of their beginning: the first has waited longest.
      const [first] = began;
      return Math.round(Math.max(previous, current, first ? nowMs() - first.atMs : 0));
    },
  };
}
