import { beforeEach, describe, expect, test } from "vitest";
import { describeStatus } from "./page.ts";
import {
  createHandover,
  entries,
  first,
  instance,
  replaced,
  second,
  startWitness,
  third,
  toBody,
} from "./testing.ts";
import type { Witness } from "./witness.ts";

let witness: Witness;
beforeEach(async () => {
  witness = await startWitness();
});

describe("a new log key", () => {
  test("a new key is trusted once it signs together with the trusted one", async () => {
    for (const [newer, older] of [
      [second, first],
      [third, second],
    ] as const) {
      instance.signers = [newer, older];
      instance.shown = entries(instance.shown.length + 1);
      await witness.observe();
      expect(witness.state.vkey).toBe(newer.vkey);
    }
    expect(witness.state.formerKeys).toEqual([second.vkey, first.vkey]);
    instance.signers = [third];
    expect((await witness.addCheckpoint(await toBody(instance.shown, 0))).status).toBe(200);
  });

  test("keys that changed since the last look are followed by their handovers", async () => {
    instance.signers = [third];
    instance.shown = entries(6);
    const chain = [createHandover(first, second), createHandover(second, third)];
    for (const badHandovers of [chain.slice(1), [createHandover(first, second, [second])]]) {
      replaced.set("handovers", JSON.stringify(badHandovers));
      await expect(witness.observe()).rejects.toThrow(/signature_wrong|handover_unsigned/);
      expect([witness.state.vkey, witness.state.alarm]).toEqual([first.vkey, null]);
    }
    replaced.set("handovers", JSON.stringify(chain));
    await witness.observe();
    expect(witness.state.vkey).toBe(third.vkey);
    expect(witness.state.formerKeys).toEqual([second.vkey, first.vkey]);
    expect((await witness.addCheckpoint(await toBody(instance.shown, 0))).status).toBe(200);
  });

  test("a new key that signs alone is not trusted", async () => {
    instance.signers = [second];
    instance.shown = entries(6);
    await expect(witness.observe()).rejects.toThrow("signature_wrong");
    expect((await witness.addCheckpoint(await toBody(instance.shown, 0))).status).toBe(403);
    expect(witness.state.vkey).toBe(first.vkey);
    instance.nowMs += 60_001;
    await expect(witness.observe()).rejects.toThrow("signature_wrong");
    expect(describeStatus(witness)).toBe("withheld");
  });
});
