import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import WebSocket from "ws";
import { encodeAddress } from "#core/addresses/address.ts";
import { expect } from "../expect.ts";
import type { Probe } from "../probe.ts";
import type { TestInstance } from "../testInstance.ts";

interface OpenedSocket {
  /** The status of a refused upgrade, or the code with which the socket was closed. */
  endCode: Promise<number>;
  isOpen: Promise<boolean>;
  messages: string[];
  socket: WebSocket;
}

function open(
  instance: TestInstance,
  headers: Record<string, string>,
  from = instance.network(),
): OpenedSocket {
  const socket = new WebSocket(`ws://127.0.0.1:${instance.port}/ws`, {
    headers,
    localAddress: from,
  });
  const receivedMessages: string[] = [];
  socket.on("message", (data: Buffer) => receivedMessages.push(data.toString()));
  const status = new Promise<number>((resolve) => {
    socket.on("unexpected-response", (_request, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.on("close", resolve);
    socket.on("error", () => resolve(-1));
  });
  const isOpen = new Promise<boolean>((resolve) => {
    socket.on("open", () => resolve(true));
    void status.then(() => resolve(false));
  });
  return { endCode: status, isOpen, messages: receivedMessages, socket };
}

const createTimeout = () => sleep(6_000, 0, { ref: false });
const hello = (token: string) => JSON.stringify({ op: "hello", token });

export const streamProbes: readonly Probe[] = [
  {
    name: "socket-origin",
    tries: "opening the stream from pages of other sites and for other hosts",
    expected: "the upgrade is refused; from our own page it is not",
    run: async (instance) => {
      const { token } = await instance.person();
      for (const headers of [
        { origin: "https://evil.example" },
        { origin: "null" },
        { origin: `http://127.0.0.1:${instance.port + 1}` },
        { "sec-fetch-site": "cross-site" },
        { host: "evil.example" },
      ] as Record<string, string>[]) {
        const socket = open(instance, { ...headers, cookie: `w1Token=${token}` });
        const status = await Promise.race([socket.endCode, createTimeout()]);
        socket.socket.terminate();
        expect(
          status === 403 || status === 400 || status === 421,
          `${JSON.stringify(headers)}: ${status}`,
        );
      }
      const ownSocket = open(instance, { origin: `http://127.0.0.1:${instance.port}` });
      const isOpen = await ownSocket.isOpen;
      ownSocket.socket.terminate();
      expect(isOpen, "our own page is refused");
      return "five refused, our own open";
    },
  },
  {
    name: "socket-flood",
    tries: "60 messages at once, a message of 8 KB, one that is no JSON, one of another form",
    expected: "the socket is closed: 1008 or 1009",
    run: async (instance) => {
      const codes: number[] = [];
      for (const send of [
        (socket: WebSocket) => {
          for (let number = 0; number < 60; number += 1)
            socket.send(JSON.stringify({ op: "hello" }));
        },
        (socket: WebSocket) => socket.send("x".repeat(8_192)),
        (socket: WebSocket) => socket.send("{"),
        (socket: WebSocket) => socket.send(JSON.stringify({ op: "hello", klines: {} })),
      ]) {
        const socket = open(instance, {});
        expect(await socket.isOpen, "not open");
        send(socket.socket);
        const code = await Promise.race([socket.endCode, createTimeout()]);
        socket.socket.terminate();
        expect(code === 1008 || code === 1009, `closed with ${code}`);
        codes.push(code);
      }
      return codes.join(", ");
    },
  },
  {
    name: "socket-numbers",
    tries: "205 streams from one network, 24 of one person from 24 networks",
    expected: "beyond 200 and 20 they are closed with 1013",
    run: async (instance) => {
      const from = instance.network();
      const many = Array.from({ length: 205 }, () => open(instance, {}, from));
      await Promise.all(many.map((socket) => socket.isOpen));
      const refusals = await Promise.race([
        Promise.all(many.slice(-5).map((socket) => socket.endCode)),
        createTimeout(),
      ]);
      const stillOpen = many.filter(({ socket }) => socket.readyState === WebSocket.OPEN).length;
      for (const { socket } of many) socket.terminate();
      expect(stillOpen <= 200, `${stillOpen} are open, ${String(refusals)}`);
      const { token } = await instance.person();
      const sockets = Array.from({ length: 24 }, () => open(instance, {}));
      await Promise.all(sockets.map((socket) => socket.isOpen));
      for (const { socket } of sockets) socket.send(hello(token));
      await sleep(1_500);
      const ownOpen = sockets.filter(({ socket }) => socket.readyState === WebSocket.OPEN).length;
      for (const { socket } of sockets) socket.terminate();
      expect(ownOpen <= 20, `${ownOpen} of one person are open`);
      return `${stillOpen} of 205, ${ownOpen} of 24`;
    },
  },
  {
    name: "socket-of-another",
    tries: "hearing of another person's withdrawal on a stream of one's own, and after signing out",
    expected: "nothing of it arrives; signing out closes the stream with 4401",
    run: async (instance) => {
      const [victim, otherPerson] = [await instance.person(), await instance.person()];
      const [ownSocket, foreignSocket] = [open(instance, {}), open(instance, {})];
      await Promise.all([ownSocket.isOpen, foreignSocket.isOpen]);
      ownSocket.socket.send(hello(victim.token));
      foreignSocket.socket.send(hello(otherPerson.token));
      await sleep(500);
      await instance.change(victim, "/api/user/withdraw", {
        coin: "pUSDT",
        amount: "25",
        address: encodeAddress("peth", randomBytes(20)),
      });
      await sleep(1_500);
      const isPrivate = (text: string) =>
        !/"topic":"(price|kline|session|second|contract)/.test(text);
      const privateMessages = foreignSocket.messages.filter(isPrivate);
      const ownHeard = ownSocket.messages.filter(isPrivate);
      expect(ownHeard.length > 0, "the person's own stream heard nothing either");
      expect(privateMessages.length === 0, `heard ${privateMessages.join().slice(0, 200)}`);
      await instance.ask({
        method: "POST",
        path: "/api/user/signOut",
        input: {},
        token: victim.token,
      });
      const code = await Promise.race([ownSocket.endCode, createTimeout()]);
      for (const { socket } of [ownSocket, foreignSocket]) socket.terminate();
      expect(code === 4401, `signing out closes with ${code}`);
      return `own ${ownHeard.length} messages, the other none; 4401`;
    },
  },
];
