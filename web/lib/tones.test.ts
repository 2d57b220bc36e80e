import { describe, expect, it } from "vitest";
import { computeTones } from "./tones.ts";

describe("computeTones", () => {
  it("the lowest to the highest value span two octaves", () => {
    expect(computeTones([10, 20, 30])).toEqual([220, 440, 880]);
  });

  it("a constant series has one tone", () => {
    expect(computeTones([5, 5])).toEqual([440, 440]);
  });

  it("a gap becomes a rest and does not affect other tones", () => {
    expect(computeTones([10, null, 30])).toEqual([220, null, 880]);
  });

  it("a long series is thinned and keeps its ends", () => {
    const tones = computeTones(Array.from({ length: 1_000 }, (_, i) => i));
    expect(tones).toHaveLength(48);
    expect([tones[0], tones.at(-1)]).toEqual([220, 880]);
  });

  it("an empty series has no tones", () => expect(computeTones([])).toEqual([]));
});
