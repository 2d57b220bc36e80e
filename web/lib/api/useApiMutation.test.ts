import { MutationObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import type { InputOf } from "#api/call.ts";
import { send } from "#api/routes/send.ts";
import { client, queryClient } from "#web/lib/api/client.ts";
import { createIdempotencyKeys } from "#web/lib/api/idempotencyKeys.ts";
import { sendOnce } from "#web/lib/api/useApiMutation.ts";

const input: InputOf<typeof send> = { coin: "pUSDT", amount: "5", address: "a", pin: "1234" };
const respond = () => Response.json({ code: 1, data: {}, msg: "" });
const refuse = (error: string) => Response.json({ code: 0, error, msg: error, data: null });
const loseAnswer = () => Promise.reject(new TypeError("fetch failed"));

/** Answers one request after another; collects the idempotency keys they were sent with. */
function serve(...answers: (() => Response | Promise<Response>)[]): (string | null)[] {
  const keys: (string | null)[] = [];
  vi.stubGlobal("fetch", async (_: string, { headers }: { headers: Record<string, string> }) => {
    keys.push(headers["idempotency-key"] ?? null);
    return (answers.shift() as () => Response)();
  });
  return keys;
}

/** The logic of `useApiMutation`, without a component. */
function sender() {
  let keyCount = 0;
  const idempotencyKeys = createIdempotencyKeys(() => `key-${++keyCount}`);
  return new MutationObserver(queryClient, {
    mutationFn: (body: InputOf<typeof send>) => sendOnce(send, body, idempotencyKeys),
  });
}

afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

test("a retry after a lost answer reuses the key, and an answer ends it", async () => {
  const keys = serve(loseAnswer, respond, respond);
  const observer = sender();
  await expect(observer.mutate(input)).rejects.toMatchObject({ error: "network.failed" });
  await observer.mutate(input);
  await observer.mutate(input);
  expect(keys).toEqual(["key-1", "key-1", "key-2"]);
});

test("a call after a final refusal gets another idempotency key", async () => {
  const keys = serve(() => refuse("send.recipient_unknown"), respond);
  const observer = sender();
  await expect(observer.mutate(input)).rejects.toMatchObject({ error: "send.recipient_unknown" });
  await observer.mutate(input);
  expect(keys).toEqual(["key-1", "key-2"]);
});

test("two concurrent presses share one key, and nothing is retried automatically", async () => {
  const keys = serve(loseAnswer, loseAnswer);
  const observer = sender();
  await Promise.allSettled([observer.mutate(input), observer.mutate(input)]);
  expect(keys).toEqual(["key-1", "key-1"]);
});

test("another input gets another idempotency key", async () => {
  const keys = serve(loseAnswer, respond);
  const observer = sender();
  await expect(observer.mutate(input)).rejects.toThrow();
  await observer.mutate({ ...input, amount: "6" });
  expect(keys).toEqual(["key-1", "key-2"]);
});

test("a failure other than an answer is reported as a network failure", async () => {
  vi.spyOn(client, "call").mockRejectedValueOnce(new Error("odd"));
  const observer = sender();
  await expect(observer.mutate(input)).rejects.toMatchObject({ error: "network.failed" });
});

test("an input that was sent, such as a PIN, is dropped when no component uses it", async () => {
  serve(respond);
  const observer = sender();
  const stop = observer.subscribe(() => undefined);
  await observer.mutate(input);
  stop();
  await vi.waitFor(() => expect(queryClient.getMutationCache().getAll()).toEqual([]));
});
