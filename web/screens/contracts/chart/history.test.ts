import { describe, expect, it } from "vitest";
import type { Kline } from "#api/contracts.ts";
import { barsMax, createHistory, type ReadPage } from "./history.ts";

const kline = (ms: number): Kline => [ms, "1", "1", "1", "1", "0", false];

/** A server with `total` minutes of history that ends at minute `total - 1`. */
function server(total: number): ReadPage & { asked: [number | null, number][] } {
  const pageRequests: [number | null, number][] = [];
  const readPage: ReadPage = async (beforeMs, limit) => {
    pageRequests.push([beforeMs, limit]);
    const end = beforeMs === null ? total : beforeMs / 60_000;
    const start = Math.max(0, end - limit);
    return {
      items: Array.from({ length: end - start }, (_, i) => kline((start + i) * 60_000)),
      has_more: start > 0,
    };
  };
  return Object.assign(readPage, { asked: pageRequests });
}

describe("createHistory", () => {
  it("older pages continue from the oldest bar without gaps or duplicates", async () => {
    const readPage = server(1_000);
    const history = createHistory(readPage);
    const first = await history.first();
    const second = await history.older();
    const third = await history.older();
    const all = [...third.bars, ...second.bars, ...first.bars].map((bar) => bar.timestamp / 60_000);
    expect(all).toEqual(Array.from({ length: 1_000 }, (_, i) => i));
    expect([first.more, second.more, third.more]).toEqual([true, true, false]);
  });

  it("the number of bars is limited", async () => {
    const history = createHistory(server(20_000));
    let barCount = (await history.first()).bars.length;
    let hasMore = true;
    while (hasMore) {
      const page = await history.older();
      barCount += page.bars.length;
      hasMore = page.more;
    }
    expect(barCount).toBe(barsMax);
  });

  it("a failed older page can be retried", async () => {
    const readPage = server(1_000);
    let fails = true;
    const history = createHistory((...args) => {
      if (args[0] !== null && fails) return Promise.reject(new Error("offline"));
      return readPage(...args);
    });
    await history.first();
    expect(await history.older()).toEqual({ bars: [], more: true });
    fails = false;
    expect((await history.older()).bars).toHaveLength(500);
  });

  it("a failed first page rejects", async () => {
    await expect(createHistory(() => Promise.reject(new Error("offline"))).first()).rejects.toThrow(
      "offline",
    );
  });

  it("a read that a newer one overtook never resolves", async () => {
    const resolvers: ((page: { items: Kline[]; has_more: boolean }) => void)[] = [];
    const history = createHistory(() => new Promise((resolve) => resolvers.push(resolve)));
    let isOvertakenSettled = false;
    void history.first().then(() => {
      isOvertakenSettled = true;
    });
    const second = history.first();
    resolvers[0]?.({ items: [kline(0)], has_more: false });
    resolvers[1]?.({ items: [kline(60_000)], has_more: false });
    expect((await second).bars[0]?.timestamp).toBe(60_000);
    expect(isOvertakenSettled).toBe(false);
  });
});
