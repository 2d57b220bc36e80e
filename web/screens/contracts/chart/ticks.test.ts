import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type ChartBar, type Minute, toBar } from "./bars.ts";
import { createTicks } from "./ticks.ts";

let frames: (() => void)[] = [];
const nextFrame = () => {
  const dueFrames = frames;
  frames = [];
  for (const frame of dueFrames) frame();
};
const minute = (index: number, close: string): Minute => [
  index * 60_000,
  "1",
  "9",
  "1",
  close,
  "1",
];

beforeEach(() => {
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (frame: () => void) => frames.push(frame));
});
afterEach(() => vi.unstubAllGlobals());

function chart() {
  const bars: ChartBar[] = [toBar([0, "1", "1", "1", "1", "0", false])];
  const target = {
    interval: () => "1m" as const,
    last: () => bars.at(-1),
    push: vi.fn((bar: ChartBar) => {
      if (bar.timestamp === bars.at(-1)?.timestamp) bars.pop();
      bars.push(bar);
    }),
    reload: vi.fn(),
    drawn: vi.fn(),
  };
  return { bars, target, ticks: createTicks(target) };
}

it("ticks of one minute within a frame are drawn once with the last one", () => {
  const { target, ticks } = chart();
  for (const close of ["2", "3", "4"]) ticks.take(minute(0, close));
  expect(target.push).not.toHaveBeenCalled();
  nextFrame();
  expect(target.push.mock.calls.map(([bar]) => bar.close)).toEqual([4]);
  expect(target.drawn).toHaveBeenCalledTimes(1);
});

it("a minute that ends within the frame is drawn along with the next one", () => {
  const { bars, ticks } = chart();
  ticks.take(minute(0, "2"));
  ticks.take(minute(0, "3"));
  ticks.take(minute(1, "5"));
  nextFrame();
  expect(bars.map(({ timestamp, close }) => [timestamp, close])).toEqual([
    [0, 3],
    [60_000, 5],
  ]);
});

it("missing minutes reload the chart without drawing", () => {
  const { target, ticks } = chart();
  ticks.take(minute(0, "2"));
  nextFrame();
  ticks.take(minute(3, "2"));
  nextFrame();
  expect(target.reload).toHaveBeenCalledTimes(1);
  expect(target.push).toHaveBeenCalledTimes(1);
});

it("ticks of a previous interval are dropped", () => {
  const { target, ticks } = chart();
  ticks.take(minute(0, "2"));
  ticks.drop();
  nextFrame();
  expect(target.push).not.toHaveBeenCalled();
});
