/** How long a task waits at most, in milliseconds. */
const waitMaxMs = 5000;
/** The interval between checks for a pending answer, in milliseconds. */
const retryMs = 100;

let isFetching = () => false;

/**
 * Delays tasks while `check` returns true, because answers that the screen waits for come first.
 */
export function idleUnless(check: () => boolean): void {
  isFetching = check;
}

/**
 * Runs `task` once the browser has nothing else to do and the screen waits for no answer; the
 * returned function cancels it.
 */
export function whenIdle(task: () => void): () => void {
  const endMs = performance.now() + waitMaxMs;
  let callOff = () => {};
  const attempt = () => {
    if (!isFetching() || performance.now() >= endMs) return task();
    const timer = window.setTimeout(schedule, retryMs);
    callOff = () => window.clearTimeout(timer);
  };
  const schedule = () => {
    if (typeof window.requestIdleCallback !== "function") {
      const timer = window.setTimeout(attempt, 1500);
      callOff = () => window.clearTimeout(timer);
      return;
    }
    const handle = window.requestIdleCallback(attempt, { timeout: waitMaxMs });
    callOff = () => window.cancelIdleCallback(handle);
  };
  schedule();
  return () => callOff();
}
