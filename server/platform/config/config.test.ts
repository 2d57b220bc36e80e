import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { formatHelp, isPrivateHost, readConfig } from "#server/platform/config/config.ts";
import { settings } from "#server/platform/config/settings.ts";

const operator = { OPERATOR_NAME: "Harbour club", OPERATOR_CONTACT: "desk@example.org" };

/** Self-signed and worthless: made for this test. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBRDCB96ADAgECAhQsFsdMk0rHFmQbjJGKvuk+i9c+ezAFBgMrZXAwFzEVMBMG
A1UEAwwMZHJ5ZG9jayB0ZXN0MCAXDTI2MTEyMTAzNDc0MloYDzIxMjYxMDI4MDM0
NzQyWjAXMRUwEwYDVQQDDAxkcnlkb2NrIHRlc3QwKjAFBgMrZXADIQBQpkehm5/a
bLNS8Hx2M7eAIESxTaCk0LvyD+fPDAXDNKNTMFEwHQYDVR0OBBYEFOEHv1zpNPGp
n52RWdhpEWgQ36QKMB8GA1UdIwQYMBaAFOEHv1zpNPGpn52RWdhpEWgQ36QKMA8G
A1UdEwEB/wQFMAMBAf8wBQYDK2VwA0EAMsZoEHRNQ5R35Ese3LytnH4MxtKcbpsh
Z+msO5UE5+SDQUgXu2RJKpfKgccmqoBVQsaTGB2BZB5nKsl4gtQmCQ==
-----END CERTIFICATE-----
`;
const certificateKey = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIPr4BOVbJSRcwSlnkrYoJHjGzvzw4E81Wetr7Czj7D1C
-----END PRIVATE KEY-----
`;

describe("readConfig refuses a setting with one sentence that names it", () => {
  test.each<[Record<string, string>, RegExp]>([
    [{ PORT: "eighty" }, /^PORT is wrong: it is a number from 0 to 65535\.$/],
    [{ PORT: "65536" }, /^PORT/],
    [{ PORT: "-1" }, /^PORT/],
    [{ HOST: "here and there" }, /^HOST/],
    [{ WORLD: "Harbour" }, /^WORLD is wrong/],
    [{ WORLD: "a".repeat(33) }, /^WORLD is wrong/],
    [{ WORLD: "a_b" }, /^WORLD is wrong/],
    [{ WORLD_SPEED: "0" }, /^WORLD_SPEED/],
    [{ WORLD_SPEED: "61" }, /^WORLD_SPEED/],
    [{ WORLD_SPEED: "1.5" }, /^WORLD_SPEED/],
    [{ WORLD_START: "yesterday" }, /^WORLD_START/],
    [{ WORLD_START: "2026-13-01" }, /^WORLD_START/],
    [{ WORLD_START: "2026-02-30" }, /^WORLD_START/],
    [{ WORLD_START: "2026-02-29T09:00:00Z" }, /^WORLD_START/],
    [{ WORLD_START: "0001-01-01" }, /^WORLD_START .* in the years 2009 to 2099\.$/],
    [{ WORLD_START: "2100-01-01" }, /^WORLD_START/],
    [{ WORLD_SPEED: "abc" }, /^WORLD_SPEED/],
    [{ MARKET: "lively" }, /^MARKET is wrong: it is simulated, live, or replay: and the folder/],
    [{ MARKET: "live", WORLD_SPEED: "2" }, /^WORLD_SPEED is wrong: a live market runs at speed 1/],
    [{ MARKET: "live", WORLD_START: "2026-01-01" }, /^WORLD_START is wrong: a live market starts/],
    [{ PUBLIC_URL: "practice.example.org" }, /^PUBLIC_URL/],
    [{ PUBLIC_URL: "https://practice.example.org/app", ...operator }, /^PUBLIC_URL/],
    [{ PUBLIC_URL: "http://practice.example.org", ...operator }, /it must begin with https/],
    [{ PUBLIC_URL: "https://practice.example.org" }, /OPERATOR_NAME and OPERATOR_CONTACT must/],
    [{ PUBLIC_URL: "https://1.2.3.4", OPERATOR_NAME: "x" }, /OPERATOR_CONTACT must/],
    [{ SOCKET_URL: "https://practice.example.org" }, /^SOCKET_URL/],
    [{ TRUST_PROXY: "proxy.lan" }, /^TRUST_PROXY is wrong: it is addresses or ranges/],
    [{ TRUST_PROXY: "10.0.0.1;10.0.0.2" }, /^TRUST_PROXY/],
    [{ TRUST_PROXY: "10.0.0.0/33" }, /^TRUST_PROXY/],
    [{ TRUST_PROXY: "fd00::/129" }, /^TRUST_PROXY/],
    [{ TRUST_PROXY: "0.0.0.0/0" }, /^TRUST_PROXY/],
    [{ TRUST_PROXY: "10.0.0.1," }, /^TRUST_PROXY/],
    [{ HSTS_SUBDOMAINS: "maybe" }, /^HSTS_SUBDOMAINS is wrong: it is yes or no\.$/],
    [{ CHAT_LINK: "javascript:alert(1)" }, /^CHAT_LINK/],
    [{ OPERATOR_CONTACT: "call me" }, /^OPERATOR_CONTACT/],
    [{ TLS_CERT: "/dev/null" }, /go together/],
    [{ TLS_CERT: "/none/here", TLS_KEY: "/dev/null" }, /^TLS_CERT .* \/none\/here cannot be read/],
    [{ DATABASE_URL: "mysql://x" }, /^DATABASE_URL/],
    [{ DATABASE_URL: "postgres://app@db/x" }, /go together/],
    [
      { DATABASE_URL: "postgres://one@db/x", DATABASE_OWNER_URL: "postgres://one@db/x" },
      /name the same role/,
    ],
    ...["app@db/x", "app@10.0.0.7/x?sslmode=require", "app@[2001:db8::7]/x", "app@x/y?host=db"].map(
      (address): [Record<string, string>, RegExp] => [
        {
          DATABASE_URL: `postgres://${address}`,
          DATABASE_OWNER_URL: "postgres://owner@localhost/x",
        },
        /^DATABASE_URL names another machine .* without sslmode=verify-full/,
      ],
    ),
    [
      { DATABASE_URL: "postgres://app@localhost/x", DATABASE_OWNER_URL: "postgres://owner@db/x" },
      /^DATABASE_OWNER_URL names another machine/,
    ],
    [{ WORLD_CLOCK: "driven" }, /starts with test-/],
    [{ LOG_LEVEL: "loud" }, /^LOG_LEVEL/],
    [{ ASYNC_STANDBY: "yes" }, /^ASYNC_STANDBY is wrong: it is may-lose-what-was-confirmed/],
    [{ METRICS_PORT: "65536" }, /^METRICS_PORT/],
    [{ METRICS_PORT: "9100", METRICS_TOKEN: "short" }, /^METRICS_TOKEN/],
    [
      { METRICS_PORT: "9100", METRICS_HOST: "0.0.0.0" },
      /others reach: set METRICS_TOKEN to a secret/,
    ],
    [{ METRICS_PORT: "9100", METRICS_HOST: "tug.local" }, /others reach/],
  ])("%j", (env, message) => {
    expect(() => readConfig(env)).toThrow(message);
  });

  test.each([
    [["--services=web,shop"], /^--services/],
    [["--fast"], /^--fast is not an option/],
  ])("%j", (args, message) => {
    expect(() => readConfig({}, args)).toThrow(message);
  });
});

describe("readConfig", () => {
  test("metrics are served nowhere, on this machine, or elsewhere with a token", () => {
    expect(readConfig({}).metrics).toBeNull();
    expect(readConfig({ METRICS_HOST: "0.0.0.0" }).metrics).toBeNull();
    const localTarget = { port: 9100, host: "127.0.0.1", token: null };
    expect(readConfig({ METRICS_PORT: "9100" }).metrics).toEqual(localTarget);
    const token = "6f1d".repeat(8);
    const open = { METRICS_PORT: "9100", METRICS_HOST: "10.0.0.7", METRICS_TOKEN: token };
    expect(readConfig(open).metrics).toEqual({ port: 9100, host: "10.0.0.7", token });
  });

  test("the defaults apply, and an empty variable counts as unset", () => {
    expect(readConfig({ PORT: "", WORLD: " " })).toMatchObject({
      port: 8080,
      host: "127.0.0.1",
      world: "harbour",
      worldSpeed: null,
      market: null,
      services: ["web", "feed", "worker"],
    });
  });

  test("settings and options override the defaults", () => {
    const env = {
      PUBLIC_URL: "https://practice.example.org",
      ...operator,
      WORLD_START: "2026-02-03",
    };
    const config = readConfig(env, ["--services=worker,web"]);
    expect(config.publicUrl?.origin).toBe("https://practice.example.org");
    expect(config.worldStartMs).toBe(Date.UTC(2026, 1, 3));
    expect(config.services).toEqual(["web", "worker"]);
  });

  test.each([
    "app@localhost/x",
    "app@127.0.0.1:5433/x",
    "app@[::1]/x",
    "app@%2Frun%2Fpostgresql/x",
    "app@x/y?host=/run/postgresql",
    "app@db.example.org/x?sslmode=verify-full",
  ])("a database at %s is accepted", (address) => {
    const databaseUrl = `postgres://${address}`;
    const env = {
      DATABASE_URL: databaseUrl,
      DATABASE_OWNER_URL: databaseUrl.replace("app", "owner"),
    };
    expect(readConfig(env)).toMatchObject({ databaseUrl });
  });

  test("a private PUBLIC_URL needs no operator name", () => {
    expect(readConfig({ PUBLIC_URL: "http://192.168.1.4:8080" }).operator.name).toBeNull();
  });
});

test.each([
  ["localhost", true],
  ["127.0.0.1", true],
  ["172.20.0.3", true],
  ["172.32.0.3", false],
  ["[::1]", true],
  ["[fd00::1]", true],
  // As the address of a connection to an IPv6 socket.
  ["::ffff:10.0.0.2", true],
  ["::ffff:203.0.113.6", false],
  ["[2001:db8::1]", false],
  ["tug.local", true],
  ["example.org", false],
])("isPrivateHost(%s) is %s", (host, expected) => {
  expect(isPrivateHost(host)).toBe(expected);
});

test("--help lists every setting", () => {
  for (const name of Object.keys(settings)) expect(formatHelp()).toContain(`  ${name} `);
});

describe("TLS_CERT and TLS_KEY", () => {
  const directory = mkdtempSync(join(tmpdir(), "drydock-tls-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const inDirectory = (name: string) => join(directory, name);
  const pem = (pair: number) => ({
    TLS_CERT: inDirectory(`${pair}.crt`),
    TLS_KEY: inDirectory(`${pair}.key`),
  });
  writeFileSync(inDirectory("none.pem"), "nothing of that kind\n");
  writeFileSync(inDirectory("1.crt"), certificate);
  writeFileSync(inDirectory("1.key"), certificateKey);
  const { privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(inDirectory("2.key"), privateKey.export({ type: "pkcs8", format: "pem" }));

  test("a matching certificate and key are read", () => {
    expect(readConfig(pem(1)).tls).toEqual({ cert: certificate, key: certificateKey });
  });

  test.each<[string, Record<string, string>, RegExp]>([
    [
      "a missing certificate",
      { ...pem(1), TLS_CERT: inDirectory("none.pem") },
      /^TLS_CERT is wrong: the file .*none\.pem contains no certificate \(PEM\)\.$/,
    ],
    [
      "a missing key",
      { ...pem(1), TLS_KEY: inDirectory("none.pem") },
      /^TLS_KEY is wrong: the file .*none\.pem contains no private key without a passphrase \(PEM\)\.$/,
    ],
    [
      "a key of another certificate",
      { ...pem(1), TLS_KEY: inDirectory("2.key") },
      /^TLS_KEY is wrong: the private key in .*2\.key is not that of the certificate in .*1\.crt\.$/,
    ],
  ])("%s is refused", (_title, env, message) => {
    expect(() => readConfig(env)).toThrow(message);
  });
});

test("TRUST_PROXY is empty by default, even with PUBLIC_URL", () => {
  const publicUrl = { PUBLIC_URL: "https://practice.example.org", ...operator };
  expect(readConfig(publicUrl).trustProxy).toEqual([]);
  const config = readConfig({ ...publicUrl, TRUST_PROXY: "127.0.0.1, 10.0.3.0/24,fd00::7" });
  expect(config.trustProxy).toEqual(["127.0.0.1", "10.0.3.0/24", "fd00::7"]);
});
