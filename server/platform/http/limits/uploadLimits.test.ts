import { afterEach, describe, expect, test, vi } from "vitest";
import { createUploadBudget, type UploadLimits } from "./uploadLimits.ts";

const limits: UploadLimits = {
  heldMax: 1_000,
  ownHeldMax: 600,
  ownMax: 3,
  idleMs: 10_000,
  bytesPerSecond: 10,
};
afterEach(() => void vi.useRealTimers());

const getName = (work: () => void) => {
  try {
    work();
    return "fine";
  } catch (error) {
    return (error as { error: string }).error;
  }
};
/** The name that an upload was cut with so far, or null. */
const getCut = async (slot: { cut: Promise<never> }) =>
  Promise.race([
    slot.cut.catch(({ error }: { error: string }) => error),
    new Promise<null>((go) => process.nextTick(go, null)),
  ]);

describe("upload budget", () => {
  test("a person may upload three at a time within a share that leaves others unaffected", () => {
    const room = createUploadBudget(limits);
    const uploadSlots = [1, 2, 3].map(() => room.enter("ada", () => 0));
    expect(getName(() => room.enter("ada", () => 0))).toBe("request.too_many");
    uploadSlots[0]!.take(600);
    expect(getName(() => uploadSlots[1]!.take(1))).toBe("request.too_many");
    const otherUpload = room.enter("ben", () => 0);
    otherUpload.take(400);
    uploadSlots[0]!.leave();
    expect(getName(() => uploadSlots[1]!.take(600))).toBe("fine");
    for (const slot of [...uploadSlots, otherUpload]) slot.leave();
  });

  test("an upload is refused when the budget is used up by recent ones", () => {
    const room = createUploadBudget(limits);
    const [first, second] = [room.enter("ada", () => 0), room.enter("ben", () => 0)];
    first.take(600);
    second.take(400);
    const third = room.enter("cy", () => 0);
    expect(getName(() => third.take(1))).toBe("server.unavailable");
    for (const slot of [first, second, third]) slot.leave();
  });

  test("a slow upload gives way, slowest first, unless it waits for the server", async () => {
    vi.useFakeTimers();
    const room = createUploadBudget(limits);
    let requestCount = 0;
    const [slow, slower, waiting] = ["ada", "ben", "cy"].map((name) =>
      room.enter(name, () => requestCount),
    );
    slow!.take(400);
    slower!.take(300);
    waiting!.take(300);
    waiting!.arrived();
    for (let second = 0; second < 11; second += 1) {
      requestCount += 1_000;
      vi.advanceTimersByTime(1_000);
    }
    const next = room.enter("dee", () => requestCount);
    next.take(200);
    expect(await getCut(slower!)).toBe("server.unavailable");
    expect(await getCut(slow!)).toBeNull();
    expect(await getCut(waiting!)).toBeNull();
    next.take(350);
    expect(await getCut(slow!)).toBe("server.unavailable");
    expect(getName(() => next.take(200))).toBe("request.too_many");
    for (const slot of [waiting!, next]) slot.leave();
  });

  test.each([
    [
      "nothing arrives for ten seconds",
      (second: number) => (second < 5 ? 10_000 * second : 40_000),
      14,
    ],
    ["too little arrives for twenty seconds", (second: number) => 9 * second, 20],
  ])("an upload of which %s is aborted", async (_title, bytesAt, cutAtSecond) => {
    vi.useFakeTimers();
    const room = createUploadBudget(limits);
    let second = 0;
    const slot = room.enter("ada", () => bytesAt(second));
    for (second = 1; second < cutAtSecond; second += 1) {
      vi.advanceTimersByTime(1_000);
      expect(await getCut(slot)).toBeNull();
    }
    vi.advanceTimersByTime(1_000);
    expect(await getCut(slot)).toBe("request.too_slow");
    expect(getName(() => slot.take(1))).toBe("request.malformed");
  });

  test("a slow but steady upload is not aborted", async () => {
    vi.useFakeTimers();
    const room = createUploadBudget(limits);
    let bytes = 0;
    const slot = room.enter("ada", () => bytes);
    for (let second = 0; second < 120; second += 1) {
      bytes += 11;
      vi.advanceTimersByTime(1_000);
    }
    expect(await getCut(slot)).toBeNull();
    slot.leave();
  });
});
