import { beforeEach, describe, expect, test } from "vitest";
import { describeStatus } from "./page.ts";
import { createState } from "./state.ts";
import { entries, instance, options, replaced, startWitness, toBody, vkey } from "./testing.ts";
import { Witness } from "./witness.ts";

let witness: Witness;
beforeEach(async () => {
  witness = await startWitness();
});

describe("requests during looks", () => {
  /** Holds the answer to the next read of a path. */
  const holdAnswer = (path: string) => {
    const [started, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    instance.held = async (requestedPath) => {
      if (!requestedPath.startsWith(path)) return;
      instance.held = async () => {};
      started.resolve();
      await released.promise;
    };
    return { begun: started.promise, letGo: released.resolve };
  };

  test("a checkpoint is cosigned while a look reads the leaves", async () => {
    instance.shown = entries(9);
    const { begun, letGo } = holdAnswer("tile/entries");
    const observation = witness.observe();
    await begun;
    expect((await witness.addCheckpoint(await toBody(instance.shown, 0))).status).toBe(200);
    expect(witness.state).toMatchObject({ readTo: 5, observed: { size: 9 } });
    letGo();
    await observation;
    expect(witness.state).toMatchObject({ readTo: 9, cosigned: { size: 9 } });
  });

  test("a tree cosigned while a look read a contradicting one raises an alarm", async () => {
    const otherEntries = entries(9, " changed");
    instance.shown = [...entries(5), ...otherEntries.slice(5)];
    const { begun, letGo } = holdAnswer("checkpoint");
    const observation = witness.observe();
    await begun;
    instance.shown = entries(9);
    expect((await witness.addCheckpoint(await toBody(instance.shown, 0))).status).toBe(200);
    instance.shown = [...entries(5), ...otherEntries.slice(5)];
    letGo();
    await observation;
    expect(witness.state.alarm?.what).toBe("forked");
  });

  /** A request for a tree of 7, during whose comparison a look sees a different tree of 9. */
  const overtakeRequest = async () => {
    instance.shown = entries(7);
    const { begun, letGo } = holdAnswer("tile/0");
    const answer = witness.addCheckpoint(await toBody(instance.shown, 0));
    await begun;
    instance.shown = [...entries(5), ...entries(9, " changed").slice(5)];
    await witness.observe();
    expect(witness.state).toMatchObject({ alarm: null, observed: { size: 9 } });
    return { answer, letGo };
  };

  test("a tree is compared again with one that a look saw in the meantime", async () => {
    const { answer, letGo } = await overtakeRequest();
    letGo();
    expect((await answer).status).toBe(422);
    expect(witness.state).toMatchObject({ alarm: { what: "forked" }, cosigned: { size: 0 } });
  });

  test("a tree is not cosigned if the log hides one that a look saw in the meantime", async () => {
    const { answer, letGo } = await overtakeRequest();
    replaced.set("", null);
    letGo();
    expect((await answer).status).toBe(503);
    expect(witness.state).toMatchObject({ alarm: null, cosigned: { size: 0 } });
    instance.nowMs += 60_001;
    replaced.clear();
    await witness.observe();
    expect(witness.state.alarm?.what).toBe("forked");
  });

  test("a tree is not cosigned while a different one is being stored", async () => {
    const [storing, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = new Witness({
      ...options(),
      state: witness.state,
      save: async (state) => {
        if (state.observed.size < 9) return;
        storing.resolve();
        await stored.promise;
      },
    });
    const submitted = await toBody(entries(7), 0);
    instance.shown = [...entries(5), ...entries(9, " changed").slice(5)];
    const observation = slow.observe();
    await storing.promise;
    instance.shown = entries(7);
    const { begun, letGo } = holdAnswer("tile/0");
    const answer = slow.addCheckpoint(submitted);
    await begun;
    letGo();
    // The comparison is over and waits for its turn to store.
    await new Promise(setImmediate);
    instance.shown = [...entries(5), ...entries(9, " changed").slice(5)];
    stored.resolve();
    await observation;
    expect((await answer).status).toBe(422);
    expect(slow.state).toMatchObject({ alarm: { what: "forked" }, cosigned: { size: 0 } });
  });

  test("a tree is cosigned during a look that saw it grow", async () => {
    instance.shown = entries(7);
    const { begun, letGo } = holdAnswer("tile/0");
    const answer = witness.addCheckpoint(await toBody(instance.shown, 0));
    await begun;
    instance.shown = entries(9);
    await witness.observe();
    letGo();
    expect((await answer).status).toBe(200);
    expect(witness.state).toMatchObject({ alarm: null, cosigned: { size: 7 } });
  });

  test("nothing is signed after an alarm that a look raised in the meantime", async () => {
    instance.shown = entries(7);
    const { begun, letGo } = holdAnswer("tile/0");
    const answer = witness.addCheckpoint(await toBody(instance.shown, 0));
    await begun;
    instance.shown = entries(9, " changed");
    await witness.observe();
    expect(witness.state.alarm?.what).toBe("forked");
    letGo();
    expect((await answer).status).toBe(403);
    expect(witness.state.cosigned.size).toBe(0);
  });

  test("a tree that is published shortly after its submission is cosigned", async () => {
    const body = await toBody(entries(7), 0);
    let requestCount = 0;
    instance.held = async (path) => {
      if (path !== "checkpoint") return;
      requestCount += 1;
      instance.shown = entries(7);
    };
    expect((await witness.addCheckpoint(body)).status).toBe(200);
    expect(requestCount).toBe(2);
    expect(describeStatus(witness)).toBe("grows");
  });

  test("reading the checkpoint alone is enough to answer requests", async () => {
    const witness = new Witness({ ...options(), state: createState(vkey, instance.nowMs) });
    replaced.set("tile/entries", null);
    await witness.observeCheckpoint();
    expect((await witness.addCheckpoint(await toBody(instance.shown, 0))).status).toBe(200);
    expect(witness.state.readTo).toBe(0);
  });
});
