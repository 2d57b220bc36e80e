import { expect, test } from "vitest";
import { retryable, withoutSchemas } from "./viteCalls.ts";

const module = `import { defineCall } from "#api/call.ts";
const answer = z.object({ a: z.int() });
export const read = defineCall({
  method: "GET",
  path: "/api/x/read",
  summary: "Reads, and says so",
  access: "user",
  money: true,
  input: z.object({ id: z.string() }),
  answer: z.object({ summary: z.string() }),
  errors: ["x.unknown"],
});
export function make() {
  const made = send(1);
  return made;
}`;

test("a call keeps what a request is made of and loses what only the server reads", () => {
  const bare = withoutSchemas(module);
  for (const kept of ['method: "GET"', '"/api/x/read"', 'access: "user"', "money: true"])
    expect(bare).toContain(kept);
  for (const gone of ["summary", "input", "errors", "says so", "x.unknown"])
    expect(bare).not.toContain(gone);
});

test("schemas are marked as free to go, and what a function does is left alone", () => {
  const bare = withoutSchemas(module);
  expect(bare).toContain(
    "const answer = /* @__PURE__ */ z.object({ a: /* @__PURE__ */ z.int() });",
  );
  expect(bare).toContain("const made = send(1);");
});

test("a definition that cannot be read fails the build", () => {
  expect(() => withoutSchemas("export const read = defineCall(shape);")).toThrow("literal");
});

test("of the refusals only those stay after which the same request may succeed", () => {
  const list = `export const errors = {
  "a.final": { status: 400, retry: false },
  "a.later": { status: 429, retry: true },
  "b.final": { status: 400, retry: false }
};`;
  const bare = retryable(list);
  expect(bare).toContain("a.later");
  expect(bare).not.toContain("final");
  expect(() => retryable("export const names = {};")).toThrow("no list of errors");
});
