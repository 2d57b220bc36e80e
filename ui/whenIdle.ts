/** How long a task waits at most, in milliseconds. */
const waitMaxMs = 5000;
/** How often an answer that is waited for is looked for again. */
const retryMs = 100;

let isFetching = () => false;

/** Lets tasks wait while `check` is true: while the screen waits for answers, which come first. */
export function idleUnless(check: () => boolean): void {
  isFetching = check;
}

/**
 * Runs `task` once the browser has nothing else to do and the screen waits for no answer; the
 * returned function calls it off.
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
