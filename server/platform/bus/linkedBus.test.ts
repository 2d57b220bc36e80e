import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import type { Outage } from "#server/platform/bus/bus.ts";
import { type Channel, createLinkedBus, splitChannel } from "#server/platform/bus/linkedBus.ts";

/** The two ends of a channel; `take(false)` lets messages pile up at the far end. */
function createChannels() {
  const ends = [new EventEmitter(), new EventEmitter()] as const;
  const queue: (() => void)[] = [];
  let taking = true;
  const channel = (side: 0 | 1) =>
    Object.assign(ends[side], {
      connected: true,
      send: (message: object, callback: (error: Error | null) => void) => {
        const deliver = () => {
          ends[side === 0 ? 1 : 0].emit("message", message);
          callback(null);
        };
        if (taking) deliver();
        else queue.push(deliver);
        return taking;
      },
    }) as unknown as Channel & EventEmitter;
  return {
    here: channel(0),
    there: channel(1),
    waiting: queue,
    take: (open: boolean) => {
      taking = open;
      if (open) for (const deliver of queue.splice(0)) deliver();
    },
  };
}

function createPair() {
  const errors: unknown[] = [];
  const note = (error: unknown) => void errors.push(error);
  const channels = createChannels();
  const [hereBus, thereBus] = [createLinkedBus(note), createLinkedBus(note)];
  const received: string[] = [];
  hereBus.subscribe("log.appended", ({ next }) => received.push(`here ${next}`));
  thereBus.subscribe("log.appended", ({ next }) => received.push(`there ${next}`));
  return { here: hereBus, there: thereBus, heard: received, channels, errors };
}

test("an event is delivered once in each of two linked processes", () => {
  const { here, there, heard, channels, errors } = createPair();
  here.link(channels.here);
  const unlink = there.link(channels.there);
  here.publish("log.appended", { next: 1 });
  there.publish("log.appended", { next: 2 });
  channels.here.emit("message", { kind: "stop" });
  expect(heard).toEqual(["here 1", "there 1", "there 2", "here 2"]);
  unlink();
  here.publish("log.appended", { next: 3 });
  expect(heard.slice(4)).toEqual(["here 3"]);
  expect(errors).toEqual([]);
});

test("events beyond ten thousand unread ones are dropped before bus.reconnected", () => {
  const { here, there, heard, channels, errors } = createPair();
  const outages: Outage[] = [];
  here.subscribe("bus.reconnected", () => outages.push({ lastedMs: -1, unsent: -1 }));
  there.subscribe("bus.reconnected", (outage) => outages.push(outage));
  here.link(channels.here);
  there.link(channels.there);
  channels.take(false);
  for (let next = 0; next < 10_100; next += 1) here.publish("log.appended", { next });
  expect(channels.waiting).toHaveLength(10_000);
  expect(errors).toHaveLength(1);
  expect(outages).toEqual([]);
  channels.take(true);
  expect(outages).toEqual([{ lastedMs: expect.any(Number), unsent: 100 }]);
  here.publish("log.appended", { next: -1 });
  expect(heard.filter((text) => text.startsWith("there"))).toHaveLength(10_001);
  expect(errors).toHaveLength(1);
});

test("a process linked to another's successor gets bus.reconnected once", () => {
  const { here, heard, errors } = createPair();
  const outages: Outage[] = [];
  here.subscribe("bus.reconnected", (outage) => outages.push(outage));
  const unlink = here.link(createChannels().here);
  unlink();
  here.publish("log.appended", { next: 1 });
  expect([outages, errors]).toEqual([[], []]);
  const successor = createChannels();
  here.link(successor.here);
  expect(outages).toEqual([{ lastedMs: expect.any(Number), unsent: 1 }]);
  expect(errors).toHaveLength(1);
  // The first one's end is noted late, as a process is waited for.
  unlink();
  const successorBus = createLinkedBus(() => {});
  successorBus.subscribe("log.appended", ({ next }) => heard.push(`successor ${next}`));
  successorBus.link(successor.there);
  here.publish("log.appended", { next: 2 });
  expect(heard).toEqual(["here 1", "here 2", "successor 2"]);
  expect(outages).toHaveLength(1);
});

test("over a split channel each world receives only its own events", () => {
  const channels = createChannels();
  const [nearEnd, farEnd] = [splitChannel(channels.here), splitChannel(channels.there)];
  const received: string[] = [];
  const open = (world: string) => {
    const [hereBus, thereBus] = [createLinkedBus(() => {}), createLinkedBus(() => {})];
    hereBus.link(nearEnd(world));
    thereBus.subscribe("log.appended", ({ next }) => received.push(`${world} ${next}`));
    return { here: hereBus, unlink: thereBus.link(farEnd(world)) };
  };
  const [alpha, beta] = [open("alpha"), open("beta")];
  alpha.here.publish("log.appended", { next: 1 });
  beta.here.publish("log.appended", { next: 2 });
  channels.there.emit("message", { kind: "stop" });
  channels.there.emit("message", null);
  expect(received).toEqual(["alpha 1", "beta 2"]);
  alpha.unlink();
  alpha.here.publish("log.appended", { next: 3 });
  beta.here.publish("log.appended", { next: 4 });
  expect(received.slice(2)).toEqual(["beta 4"]);
});
