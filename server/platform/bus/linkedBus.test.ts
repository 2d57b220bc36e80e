import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { type Channel, createLinkedBus } from "#server/platform/bus/linkedBus.ts";

/** The two ends of a channel; `take(false)` lets messages pile up at the far end. */
function createChannels() {
  const ends = [new EventEmitter(), new EventEmitter()] as const;
  const waiting: (() => void)[] = [];
  let taking = true;
  const channel = (mine: 0 | 1) =>
    Object.assign(ends[mine], {
      connected: true,
      send: (message: object, sent: (error: Error | null) => void) => {
        const deliver = () => {
          ends[mine === 0 ? 1 : 0].emit("message", message);
          sent(null);
        };
        if (taking) deliver();
        else waiting.push(deliver);
        return taking;
      },
    }) as unknown as Channel & EventEmitter;
  return {
    here: channel(0),
    there: channel(1),
    waiting,
    take: (open: boolean) => {
      taking = open;
      if (open) for (const deliver of waiting.splice(0)) deliver();
    },
  };
}

function createPair() {
  const fail = (error: unknown) => {
    throw error;
  };
  const channels = createChannels();
  const [here, there] = [createLinkedBus(fail), createLinkedBus(fail)];
  const heard: string[] = [];
  here.subscribe("log.appended", ({ next }) => heard.push(`here ${next}`));
  there.subscribe("log.appended", ({ next }) => heard.push(`there ${next}`));
  return { here, there, heard, channels };
}

test("an event is heard once in each of two linked processes, whoever published it", () => {
  const { here, there, heard, channels } = createPair();
  here.link(channels.here);
  const unlink = there.link(channels.there);
  here.publish("log.appended", { next: 1 });
  there.publish("log.appended", { next: 2 });
  channels.here.emit("message", { kind: "stop" });
  expect(heard).toEqual(["here 1", "there 1", "there 2", "here 2"]);
  unlink();
  here.publish("log.appended", { next: 3 });
  expect(heard.slice(4)).toEqual(["here 3"]);
});

test("what a process does not take is dropped beyond ten thousand events, and comes again later", () => {
  const { here, there, heard, channels } = createPair();
  here.link(channels.here);
  there.link(channels.there);
  channels.take(false);
  for (let next = 0; next < 10_100; next += 1) here.publish("log.appended", { next });
  expect(channels.waiting).toHaveLength(10_000);
  channels.take(true);
  here.publish("log.appended", { next: -1 });
  expect(heard.filter((one) => one.startsWith("there"))).toHaveLength(10_001);
});
