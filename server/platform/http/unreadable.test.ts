import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "#server/platform/config/config.ts";
import type { App } from "#server/platform/http/context.ts";
import { createMessages } from "#server/platform/http/language.ts";
import { createLogger } from "#server/platform/logger.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createSettableClock, testStartMs } from "#server/testing/testContext.ts";

/** Bytes that are not a request to Node's parser, on a real connection. */
let app: App;
let port: number;
beforeAll(async () => {
  const config = readConfig({
    PUBLIC_URL: "https://practice.example.org",
    OPERATOR_NAME: "Harbour club",
    OPERATOR_CONTACT: "desk@example.org",
  });
  const realClock = createSettableClock(testStartMs);
  const ctx = { config, realClock, logger: createLogger("silent"), messages: createMessages() };
  app = await createTestApp(ctx, (app) => {
    app.get("/api/test/here", async () => ({ code: 1, msg: "", data: {} }));
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as { port: number }).port;
});
afterAll(() => app.close());

/** All that comes back until the server closes the connection. */
function talk(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let received = "";
    socket.on("data", (data: Buffer) => {
      received += data.toString();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
  });
}

const head = () => `GET /api/test/here HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n`;
const hidden = () => `${head()}x-hidden: 1\r\n\r\n`;

test.each<[string, () => string, number, string]>([
  ["no HTTP", () => "hello\r\n\r\n", 400, "request.malformed"],
  ["headers of 20 KB", () => `${head()}x: ${"a".repeat(20_000)}\r\n\r\n`, 413, "request.too_large"],
  [
    "both a length and chunks",
    () => `${head()}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${hidden()}`,
    400,
    "request.malformed",
  ],
])("%s is refused with an envelope and disconnected", async (_title, text, status, error) => {
  const answer = await talk(text());
  const [headers = "", body = ""] = answer.split("\r\n\r\n");
  expect(headers).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(JSON.parse(body)).toMatchObject({ code: 0, error, msg: expect.stringMatching(/\w \w/) });
  for (const header of [
    "content-security-policy: default-src 'none'",
    "x-content-type-options: nosniff",
    "strict-transport-security: max-age=31536000",
    "content-type: application/json; charset=utf-8",
  ])
    expect(headers).toContain(header);
});

test("a request with two Host headers is refused", async () => {
  const end = "connection: close\r\n\r\n";
  expect(await talk(`${head()}${end}`)).toMatch(/^HTTP\/1\.1 200/);
  const twoHosts = await talk(`${head()}host: practice.example.org\r\n${end}`);
  expect(twoHosts).toContain("request.wrong_host");
});

test("a malformed address is refused with an HSTS header", async () => {
  const answer = await app.inject({ url: "/%zz", headers: { host: "practice.example.org" } });
  expect(answer.json()).toMatchObject({ error: "request.not_found" });
  expect(answer.headers["strict-transport-security"]).toMatch(/^max-age=31536000/);
});
