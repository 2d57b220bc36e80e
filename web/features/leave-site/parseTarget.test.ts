import { expect, test } from "vitest";
import { parseTarget } from "#web/features/leave-site/parseTarget.ts";

test.each([
  ["an https address opens under its host", "https://www.ic3.gov/complaint", "web", "www.ic3.gov"],
  [
    "an http address opens and is labelled as unencrypted",
    "http://example.org/",
    "plain",
    "example.org",
  ],
  ["a port is part of the host", "https://help.example:8443/a", "web", "help.example:8443"],
  [
    "a look-alike domain is shown in punycode",
    "https://рaypal.example/",
    "web",
    "xn--aypal-uye.example",
  ],
  ["a number is dialled", "tel:165", "phone", "165"],
  ["a number with a hash sign is dialled", "tel:%239110", "phone", "#9110"],
])("%s", (_title, text, kind, name) => {
  expect(parseTarget(text)).toMatchObject({ kind, name });
});

test.each([
  "javascript:alert(1)",
  "data:text/html,x",
  "file:///etc/passwd",
  "https://bank.example@evil.example/",
  "tg://resolve?domain=x",
  "tel:+1;ext=javascript",
  "/help",
  "",
])("%s is refused", (text) => {
  expect(parseTarget(text)).toBeNull();
});
