import { expect, test } from "vitest";
import { parseLink } from "#core/publishing/links.ts";

test.each([
  ["https://example.org", { ok: true, host: "example.org" }],
  ["https://Help.Example.org:8443/a?b=c#d", { ok: true, host: "help.example.org" }],
  ["http://example.org", { ok: false, error: "link_not_https" }],
  ["https://example", { ok: false, error: "link_not_https" }],
  ["https://127.0.0.1/", { ok: false, error: "link_not_https" }],
  ["https://user:secret@example.org", { ok: false, error: "link_not_https" }],
  ["https://example.org\\@t.me", { ok: false, error: "link_not_https" }],
  ["javascript:alert(1)", { ok: false, error: "link_not_https" }],
  ["https://t.me/x", { ok: false, error: "messenger" }],
  ["https://WWW.WhatsApp.com", { ok: false, error: "messenger" }],
  ["https://web.telegram.org/k", { ok: false, error: "messenger" }],
  ["https://line.me./R/ti", { ok: false, error: "link_not_https" }],
  ["https://airline.me", { ok: true, host: "airline.me" }],
  ["https://paypal.me/x", { ok: false, error: "payment_link" }],
])("%s", (url, expected) => {
  expect(parseLink(url)).toEqual(expected);
});
