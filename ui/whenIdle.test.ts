import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { idleUnless, whenIdle } from "./whenIdle.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", {
    setTimeout,
    clearTimeout,
    requestIdleCallback: (run: () => void) => setTimeout(run, 10),
    cancelIdleCallback: clearTimeout,
  });
});
afterEach(() => {
  idleUnless(() => false);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a task runs once the browser is idle", () => {
  const task = vi.fn();
  whenIdle(task);
  expect(task).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10);
  expect(task).toHaveBeenCalledOnce();
});

test("a task waits at most five seconds for the answers that the screen needs", () => {
  let fetching = true;
  idleUnless(() => fetching);
  const [task, lateTask] = [vi.fn(), vi.fn()];
  whenIdle(task);
  vi.advanceTimersByTime(1_000);
  expect(task).not.toHaveBeenCalled();
  fetching = false;
  vi.advanceTimersByTime(120);
  expect(task).toHaveBeenCalledOnce();
  fetching = true;
  whenIdle(lateTask);
  vi.advanceTimersByTime(4_900);
  expect(lateTask).not.toHaveBeenCalled();
  vi.advanceTimersByTime(300);
  expect(lateTask).toHaveBeenCalledOnce();
});

test("a task cancelled while it waits for an answer does not run", () => {
  idleUnless(() => true);
  const task = vi.fn();
  const callOff = whenIdle(task);
  vi.advanceTimersByTime(1_000);
  callOff();
  vi.advanceTimersByTime(10_000);
  expect(task).not.toHaveBeenCalled();
});
