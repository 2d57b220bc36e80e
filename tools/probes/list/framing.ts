import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect } from "../expect.ts";
import { exchangeBytes } from "../http.ts";
import type { Probe } from "../probe.ts";
import type { TestInstance } from "../testInstance.ts";

/** The request to smuggle; the probe recognises its answer. */
const hiddenRequest = (port: number) =>
  `GET /api/index/getTerms?smuggled HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`;

/** Requests whose end two parsers could see in different places. */
function ambiguous(port: number): readonly (readonly [name: string, bytes: string])[] {
  const smuggledRequest = hiddenRequest(port);
  const head = `POST /api/index/config HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n`;
  const chunked = `2\r\n{}\r\n0\r\n\r\n${smuggledRequest}`;
  return [
    [
      "length and chunked",
      `${head}content-length: 6\r\ntransfer-encoding: chunked\r\n\r\n${chunked}`,
    ],
    [
      "chunked and length",
      `${head}transfer-encoding: chunked\r\ncontent-length: 6\r\n\r\n${chunked}`,
    ],
    [
      "xchunked",
      `${head}content-length: 2\r\ntransfer-encoding: xchunked\r\n\r\n{}${smuggledRequest}`,
    ],
    ["chunked, identity", `${head}transfer-encoding: chunked, identity\r\n\r\n${chunked}`],
    [
      "two encodings",
      `${head}transfer-encoding: chunked\r\ntransfer-encoding: x\r\n\r\n${chunked}`,
    ],
    ["two lengths", `${head}content-length: 2\r\ncontent-length: 40\r\n\r\n{}${smuggledRequest}`],
    ["lengths in one", `${head}content-length: 2, 40\r\n\r\n{}${smuggledRequest}`],
    ["signed length", `${head}content-length: +2\r\n\r\n{}${smuggledRequest}`],
    ["hex length", `${head}content-length: 0x2\r\n\r\n{}${smuggledRequest}`],
    ["space before colon", `${head}transfer-encoding : chunked\r\n\r\n${chunked}`],
    [
      "folded header",
      `${head}content-length: 2\r\nx-a: 1\r\n transfer-encoding: chunked\r\n\r\n${chunked}`,
    ],
    [
      "bare line feeds",
      `${head.replaceAll("\r\n", "\n")}content-length: 2\n\n{}${smuggledRequest}`,
    ],
    [
      "tab in encoding",
      `${head}transfer-encoding:\u000bchunked\r\ncontent-length: 6\r\n\r\n${chunked}`,
    ],
    [
      "signed chunk",
      `${head}transfer-encoding: chunked\r\n\r\n+2\r\n{}\r\n0\r\n\r\n${smuggledRequest}`,
    ],
    [
      "line break in a header",
      `${head}x-a: b\rtransfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n{}${smuggledRequest}`,
    ],
    ["two hosts", `GET /home HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nhost: evil.example\r\n\r\n`],
    ["no host", `GET /api/index/getTerms HTTP/1.1\r\n\r\n`],
    ["HTTP/0.9", "GET /api/index/getTerms\r\n\r\n"],
    ["HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ];
}

async function requireServed({ ask, network }: TestInstance): Promise<number> {
  const { status, durationMs } = await ask({
    path: "/api/index/getTerms",
    sourceAddress: network(),
  });
  expect(
    status === 200 && durationMs < 3_000,
    `others: ${status} after ${Math.round(durationMs)} ms`,
  );
  return Math.round(durationMs);
}

export const framingProbes: readonly Probe[] = [
  {
    name: "smuggling",
    tries: "requests whose length two servers in a row could read differently",
    expected: "each is refused or read in one way, and no request hidden in it is answered",
    run: async ({ port }) => {
      const requests = ambiguous(port);
      const answers = await Promise.all(
        requests.map(async ([name, bytes]) => [name, await exchangeBytes(port, bytes)] as const),
      );
      for (const [name, answer] of answers) {
        const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
        const summary = `${name}: ${statuses.join(", ") || "closed"}`;
        expect(statuses.length <= 1 && !/^HTTP\/1\.1 2/m.test(answer), summary);
      }
      return `${requests.length} requests refused, one answer each`;
    },
  },
  {
    name: "large-bodies",
    tries: "bodies over 64 KiB, with a length, in chunks and compressed",
    expected: "413 or refused as malformed, and others are served",
    run: async (instance) => {
      const path = "/api/index/reportError";
      const big = JSON.stringify({ message: "x".repeat(70_000) });
      const json = { "content-type": "application/json" };
      const plainAnswer = await instance.ask({ method: "POST", path, body: big, headers: json });
      expect(plainAnswer.error === "request.too_large", `with a length: ${plainAnswer.error}`);
      const chunk = `1000\r\n${"x".repeat(4096)}\r\n`;
      const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${instance.port}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
      const chunked = await exchangeBytes(instance.port, `${head}${chunk.repeat(300)}`, 2_000);
      expect(/^HTTP\/1\.1 413/.test(chunked), `in chunks: ${chunked.slice(0, 40)}`);
      const body = gzipSync(Buffer.alloc(20_000_000, 32));
      const headers = { ...json, "content-encoding": "gzip" };
      const packed = await instance.ask({ method: "POST", path, body, headers });
      const isRefused = packed.status === 400 || packed.status === 413 || packed.status === 415;
      expect(isRefused, `compressed: ${packed.status}`);
      await requireServed(instance);
      return `413, 413, ${packed.status}`;
    },
  },
  {
    name: "large-headers",
    tries: "20 KB of headers, 3 000 headers, an address of 20 KB",
    expected: "refused with the security headers, and others are served",
    run: async (instance) => {
      const head = `GET /home HTTP/1.1\r\nhost: 127.0.0.1:${instance.port}\r\n`;
      const requests = {
        "one header": `${head}x-a: ${"a".repeat(20_000)}\r\n\r\n`,
        "many headers": `${head}${Array.from({ length: 3_000 }, (_, index) => `x-${index}: a\r\n`).join("")}\r\n`,
        address: `GET /${"a".repeat(20_000)} HTTP/1.1\r\nhost: 127.0.0.1:${instance.port}\r\n\r\n`,
      };
      for (const [name, bytes] of Object.entries(requests)) {
        const answer = await exchangeBytes(instance.port, bytes);
        expect(/^HTTP\/1\.1 4\d\d/.test(answer), `${name}: ${answer.slice(0, 40)}`);
        expect(/x-content-type-options: nosniff/i.test(answer), `${name}: no security headers`);
        expect(/strict-transport-security: max-age=31536000/i.test(answer), `${name}: no HSTS`);
      }
      await requireServed(instance);
      return "4xx";
    },
  },
  {
    name: "slow-headers",
    tries: "300 connections that send their headers a byte at a time, for four seconds",
    expected: "others are served within 3 s meanwhile",
    run: async (instance) => {
      const sockets: Socket[] = [];
      for (let number = 0; number < 300; number += 1) {
        const localAddress = `127.21.1.${1 + (number % 200)}`;
        const socket = connect({ port: instance.port, host: "127.0.0.1", localAddress });
        socket.on("error", () => {});
        socket.write("GET /home HTTP/1.1\r\nx-a: ");
        sockets.push(socket);
      }
      let slowestMs = 0;
      for (let round = 0; round < 8; round += 1) {
        for (const socket of sockets) socket.write("a");
        await sleep(500);
        slowestMs = Math.max(slowestMs, await requireServed(instance));
      }
      for (const socket of sockets) socket.destroy();
      return `served, slowest ${slowestMs} ms`;
    },
  },
  {
    name: "json-bombs",
    tries: "30 000 nested lists, a number of 60 000 digits, one name twice, half a surrogate pair",
    expected: "a named refusal or an answer at once, never a failure",
    run: async (instance) => {
      const bodies = {
        lists: `{"message":${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
        objects: `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
        number: `{"message":${"9".repeat(60_000)}}`,
        exponent: '{"message":1e999999999}',
        twice: '{"type":"x","type":{"a":1}}',
        surrogate: '{"type":"x","code":"\\ud800","message":"x","page_url":"/"}',
        nul: '{"type":"x","code":"\\u0000","message":"x","page_url":"/"}',
        "not JSON": "\u0000\u0001",
      };
      for (const [name, body] of Object.entries(bodies)) {
        const headers = { "content-type": "application/json" };
        const path = "/api/index/reportError";
        const answer = await instance.ask({ method: "POST", path, body, headers });
        const summary = `${name}: ${answer.status} ${answer.error} in ${Math.round(answer.durationMs)} ms`;
        expect(answer.error === "request.malformed" && answer.durationMs < 2_000, summary);
      }
      return `${Object.keys(bodies).length} bodies: request.malformed`;
    },
  },
  {
    name: "prototype-pollution",
    tries: "__proto__ and constructor.prototype in JSON, forms and queries",
    expected: "refused in JSON, without effect elsewhere",
    run: async (instance) => {
      const post = { method: "POST", path: "/api/index/config" };
      for (const body of [
        '{"__proto__":{"polluted":1}}',
        '{"a":{"__proto__":{"polluted":1}}}',
        '{"constructor":{"prototype":{"polluted":1}}}',
      ]) {
        const headers = { "content-type": "application/json" };
        const { error } = await instance.ask({ ...post, body, headers });
        expect(error === "request.malformed", `${body}: ${error}`);
      }
      const form = { "content-type": "application/x-www-form-urlencoded" };
      const text = "__proto__[polluted]=1&constructor[prototype][polluted]=1&__proto__=1";
      await instance.ask({ ...post, body: text, headers: form });
      await instance.ask({ path: `/api/index/getTerms?${text}` });
      const { text: textAfter } = await instance.ask({ ...post, input: {} });
      expect(!textAfter.includes("polluted"), "an answer shows the property");
      return "refused, nothing polluted";
    },
  },
  {
    name: "parameter-pollution",
    tries:
      "a parameter twice, as a list, as an object, in the body of a GET and the query of a POST",
    expected: "refused as malformed, or only the place that the call reads counts",
    run: async (instance) => {
      for (const query of [
        "contract_id=btc-usdt&contract_id=eth-usdt",
        "contract_id[]=btc-usdt",
        "contract_id[a]=btc-usdt",
      ]) {
        const { error } = await instance.ask({ path: `/api/contract/getContractDetails?${query}` });
        expect(error === "request.malformed", `${query}: ${error}`);
      }
      const path = "/api/contract/getContractDetails";
      const inBody = await instance.ask({ path, input: { contract_id: "btc-usdt" } });
      expect(inBody.error === "request.malformed", `body of a GET: ${inBody.error}`);
      const { token } = await instance.person();
      const inQuery = { method: "POST", path: "/api/user/setPin?pin=123456", token, input: {} };
      const answer = await instance.ask(inQuery);
      expect(answer.error === "request.malformed", `query of a POST: ${answer.error}`);
      return "request.malformed";
    },
  },
];
