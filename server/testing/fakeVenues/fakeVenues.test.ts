import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { startFakeVenues } from "./fakeVenues.ts";

test("changes of a book are numbered in ascending order at any rate", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const fakeVenues = await startFakeVenues(1);
  const socket = new WebSocket(`${fakeVenues.url.replace("http", "ws")}/bitstamp/`);
  await once(socket, "open");
  const channel = "diff_order_book_btcusd";
  socket.send(JSON.stringify({ event: "bts:subscribe", data: { channel } }));
  await once(socket, "message");
  const numbers: number[] = [];
  socket.on("message", (text) => {
    const { data } = JSON.parse((text as Buffer).toString()) as {
      data: { microtimestamp?: string };
    };
    numbers.push(Number(data.microtimestamp));
  });
  // As a late timer does: hundreds of steps in a few milliseconds.
  vi.advanceTimersByTime(20_000);
  await vi.waitUntil(() => numbers.length >= 100);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  socket.terminate();
  await fakeVenues.stop();
  vi.useRealTimers();
});
