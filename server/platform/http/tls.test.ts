import { generateKeyPairSync, sign } from "node:crypto";
import { type ConnectionOptions, connect } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "#server/platform/config/config.ts";
import type { App } from "#server/platform/http/context.ts";
import { createMessages } from "#server/platform/http/language.ts";
import { createLogger } from "#server/platform/logger.ts";
import { createTestApp } from "#server/testing/http.ts";
import { createSettableClock, testStartMs } from "#server/testing/testContext.ts";

/** DER: a tag, the length of the content, and the content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

/** A certificate for localhost, signed by its own key (ECDSA with SHA-256 on P-256). */
function selfSigned(): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = der(0x30, der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
  const commonName = der(0x06, Buffer.from("550403", "hex"));
  const name = der(0x30, der(0x31, der(0x30, commonName, der(0x0c, Buffer.from("localhost")))));
  const time = (text: string) => der(0x17, Buffer.from(text));
  const tbsCertificate = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    der(0x30, time("200101000000Z"), time("491231235959Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", tbsCertificate, privateKey));
  const text = der(0x30, tbsCertificate, algorithm, signature).toString("base64");
  const cert = `-----BEGIN CERTIFICATE-----\n${text.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
  return { cert, key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

let app: App;
let port: number;
beforeAll(async () => {
  const config = { ...readConfig({}), tls: selfSigned() };
  const realClock = createSettableClock(testStartMs);
  const ctx = { config, realClock, logger: createLogger("silent"), messages: createMessages() };
  app = await createTestApp(ctx, () => {});
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as { port: number }).port;
});
afterAll(() => app.close());

/** The version and cipher that were agreed on; null if there was no agreement. */
function agree(
  options: ConnectionOptions,
): Promise<[version: string | null, cipher: string] | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false, ...options });
    socket.on("secureConnect", () => {
      resolve([socket.getProtocol(), socket.getCipher().name]);
      socket.destroy();
    });
    socket.on("error", () => resolve(null));
  });
}

// The lowest security level, so that it is the server who refuses.
const lowSecurity = { ciphers: "ALL:@SECLEVEL=0" };

test.each<[string, ConnectionOptions]>([
  ["TLS 1.0", { ...lowSecurity, minVersion: "TLSv1", maxVersion: "TLSv1" }],
  ["TLS 1.1", { ...lowSecurity, minVersion: "TLSv1.1", maxVersion: "TLSv1.1" }],
  ["CBC with SHA-1", { ciphers: "ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0", maxVersion: "TLSv1.2" }],
  ["CBC with SHA-256", { ciphers: "ECDHE-ECDSA-AES128-SHA256", maxVersion: "TLSv1.2" }],
])("%s is refused", async (_title, options) => {
  expect(await agree(options)).toBeNull();
});

test("TLS 1.3 is preferred, and TLS 1.2 has forward secrecy and an AEAD cipher", async () => {
  expect(await agree({})).toEqual(["TLSv1.3", "TLS_AES_256_GCM_SHA384"]);
  const second = await agree({ maxVersion: "TLSv1.2" });
  expect(second).toEqual(["TLSv1.2", "ECDHE-ECDSA-AES256-GCM-SHA384"]);
});

test("plain HTTP on the same port is not answered", async () => {
  await expect(fetch(`http://127.0.0.1:${port}/api/none`)).rejects.toThrow();
});
