import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  parseMessage,
  parseTime,
  type SignInMessage,
  writeMessage,
} from "#core/session/message.ts";

const address = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
const text = (lines: string[]) => lines.join("\n");
/** The examples of EIP-4361, section "Examples". */
const wholeMessage = text([
  "example.com wants you to sign in with your Ethereum account:",
  address,
  "",
  "I accept the ExampleOrg Terms of Service: https://example.com/tos",
  "",
  "URI: https://example.com/login",
  "Version: 1",
  "Chain ID: 1",
  "Nonce: 32891756",
  "Issued At: 2021-09-30T16:25:24Z",
  "Resources:",
  "- ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/",
  "- https://example.com/my-web2-claim.json",
]);

describe("the examples of EIP-4361", () => {
  test("a message with statement and resources is parsed", () => {
    expect(parseMessage(wholeMessage)).toEqual({
      ok: true,
      message: {
        scheme: null,
        domain: "example.com",
        address,
        statement: "I accept the ExampleOrg Terms of Service: https://example.com/tos",
        uri: "https://example.com/login",
        chainId: "1",
        nonce: "32891756",
        issuedAt: "2021-09-30T16:25:24Z",
        expirationTime: null,
        notBefore: null,
        requestId: null,
        resources: [
          "ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/",
          "https://example.com/my-web2-claim.json",
        ],
      },
    });
  });
  test.each([
    ["a port", "example.com:3388", null, "example.com:3388"],
    ["a scheme", "https://example.com", "https", "example.com"],
    ["an IPv6 host", "http://[::1]:8080", "http", "[::1]:8080"],
  ])("a domain with %s is parsed", (_title, domain, scheme, expected) => {
    expect(parseMessage(wholeMessage.replace("example.com", domain))).toMatchObject({
      ok: true,
      message: { scheme, domain: expected },
    });
  });
});

describe("a malformed message is refused with the faulty field", () => {
  const edit = (from: string, to: string) => wholeMessage.replace(from, to);
  test.each([
    ["nothing", "", "header"],
    ["CRLF", wholeMessage.replaceAll("\n", "\r\n"), "text"],
    ["a Cyrillic look-alike in the domain", edit("example.com", "ex\u0430mple.com"), "text"],
    ["a right-to-left mark in the statement", edit("I accept", "I \u202eaccept"), "text"],
    ["a null character", edit("I accept", "I\0accept"), "text"],
    ["more than 2000 characters", edit("I accept", "a".repeat(2000)), "text"],
    ["a space in the domain", edit("example.com", "example com"), "header"],
    ["a path in the domain", edit("example.com wants", "example.com/x wants"), "header"],
    ["an empty domain", edit("example.com wants", " wants"), "header"],
    ["another sentence", edit("wants you to sign in", "wants you to pay"), "header"],
    ["an address that is too short", edit(address, address.slice(0, -1)), "address"],
    ["an address that is not hexadecimal", edit(address, `${address.slice(0, -1)}g`), "address"],
    ["no blank line after the address", edit(`${address}\n`, address), "statement"],
    ["a statement of two lines", edit("I accept", "I\naccept"), "statement"],
    ["a quote in the statement", edit("I accept", 'I "accept"'), "statement"],
    ["three blank lines", edit("\n\nURI", "\n\n\nURI"), "uri"],
    [
      "a field injected through the statement",
      edit("/tos", "/tos\n\nURI: https://evil.example"),
      "uri_twice",
    ],
    ["a relative URI", edit("URI: https://example.com/login", "URI: /login"), "uri"],
    ["a URI with a space", edit("com/login", "com/lo gin"), "uri"],
    ["version 2", edit("Version: 1", "Version: 2"), "version"],
    ["a chain id in hex", edit("Chain ID: 1", "Chain ID: 0x1"), "chain_id"],
    ["a chain id with a leading zero", edit("Chain ID: 1", "Chain ID: 01"), "chain_id"],
    ["a nonce of 7 characters", edit("32891756", "3289175"), "nonce"],
    ["a nonce with a dash", edit("32891756", "3289-1756"), "nonce"],
    [
      "fields in another order",
      edit("Version: 1\nChain ID: 1", "Chain ID: 1\nVersion: 1"),
      "version",
    ],
    ["a day that does not exist", edit("2021-09-30", "2021-09-31"), "issued_at"],
    ["an hour that does not exist", edit("T16:", "T24:"), "issued_at"],
    ["a time without zone", edit("24Z", "24"), "issued_at"],
    [
      "an expiration that is not a time",
      edit("24Z\n", "24Z\nExpiration Time: soon\n"),
      "expiration_time",
    ],
    ["a not-before that is not a time", edit("24Z\n", "24Z\nNot Before: 0\n"), "not_before"],
    ["a request id with a space", edit("24Z\n", "24Z\nRequest ID: a b\n"), "request_id"],
    [
      "not-before ahead of expiration",
      edit(
        "24Z\n",
        "24Z\nNot Before: 2021-09-30T16:25:24Z\nExpiration Time: 2021-09-30T16:25:24Z\n",
      ),
      "end",
    ],
    ["a resource that is not a URI", edit("- ipfs:", "- ipfs"), "resources"],
    ["an unknown field", edit("Resources:", "Approve: everything\nResources:"), "end"],
    ["a trailing line break", `${wholeMessage}\n`, "resources"],
    [
      "a trailing line break without resources",
      `${wholeMessage.split("\nResources:")[0]}\n`,
      "end",
    ],
  ])("%s", (_title, hostile, fault) => {
    const expected = fault === "uri_twice" ? "version" : fault;
    // An injected URI pushes the real one into the place of the version.
    expect(parseMessage(hostile)).toEqual({ ok: false, error: expected });
  });
});

describe("writeMessage", () => {
  const base: SignInMessage = {
    scheme: null,
    domain: "localhost:4100",
    address,
    statement: "Moves nothing.",
    uri: "http://localhost:4100",
    chainId: "11155111",
    nonce: "a1b2c3d4e5",
    issuedAt: "2026-01-05T00:00:00.000Z",
    expirationTime: "2026-01-05T00:05:00.000Z",
    notBefore: null,
    requestId: null,
    resources: null,
  };
  test("a written message parses back to itself", () => {
    expect(parseMessage(writeMessage(base))).toEqual({ ok: true, message: base });
  });
  test("a message without a statement has two blank lines", () => {
    const message = { ...base, statement: null };
    expect(writeMessage(message)).toContain(`${address}\n\n\nURI: `);
    expect(parseMessage(writeMessage(message))).toEqual({ ok: true, message });
  });
  test("every optional field survives a round trip", () => {
    const message = { ...base, notBefore: base.issuedAt, requestId: "r-1", resources: [] };
    expect(parseMessage(writeMessage(message))).toEqual({ ok: true, message });
  });
  test.each<[string, Partial<SignInMessage>]>([
    ["a line break in the domain", { domain: "a\nb" }],
    ["a line break in the statement", { statement: "a\n\nURI: https://evil.example" }],
    ["a line break in the nonce", { nonce: "a1b2c3d4\nIssued At: 2020" }],
    ["a look-alike domain", { domain: "dr\u0443dock.example" }],
    ["an empty statement", { statement: "" }],
  ])("%s cannot be written", (_title, part) => {
    expect(() => writeMessage({ ...base, ...part })).toThrow(RangeError);
  });
  test("no field's text can change another field", () => {
    const fields = fc.record({
      statement: fc.string({ unit: "binary" }),
      domain: fc.string(),
      uri: fc.string(),
      requestId: fc.string(),
    });
    fc.assert(
      fc.property(fields, (part) => {
        let text: string;
        try {
          text = writeMessage({ ...base, ...part });
        } catch (error) {
          return error instanceof RangeError;
        }
        const message = parseMessage(text);
        return (
          message.ok &&
          message.message.nonce === base.nonce &&
          message.message.statement === part.statement
        );
      }),
    );
  });
});

describe("times are RFC 3339", () => {
  test.each([
    ["1970-01-01T00:00:00Z", 0],
    ["2026-01-05T00:00:00.123Z", Date.UTC(2026, 0, 5, 0, 0, 0, 123)],
    ["2026-01-05t00:00:00.123456z", Date.UTC(2026, 0, 5, 0, 0, 0, 123)],
    ["2026-01-05T02:00:00+02:00", Date.UTC(2026, 0, 5)],
    ["2026-01-04T19:30:00-04:30", Date.UTC(2026, 0, 5)],
    ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29)],
    ["2026-02-29T00:00:00Z", null],
    ["2026-01-05 00:00:00Z", null],
    ["2026-01-05T00:00:60Z", null],
    ["2026-1-5T00:00:00Z", null],
  ])("%s", (text, ms) => expect(parseTime(text)).toBe(ms));
});
