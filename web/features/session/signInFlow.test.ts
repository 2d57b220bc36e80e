import { beforeEach, expect, test, vi } from "vitest";
import { createSession, getNonce } from "#api/routes/session.ts";
import { isInviteAsked, setInviteQuestion } from "#web/features/session/inviteQuestion.ts";
import {
  createPracticeSigner,
  prepareMessage,
  signAndEnter,
} from "#web/features/session/signInFlow.ts";
import { client } from "#web/lib/api/client.ts";

vi.mock("#web/lib/stream.ts", () => ({ restartStream: () => {} }));

const nonce = {
  domain: "localhost",
  uri: "http://localhost",
  statement: "Sign in.",
  nonce: "abcdefgh12345678",
  issued_at: "2026-01-01T00:00:00.000Z",
  expiration_time: "2026-01-01T00:05:00.000Z",
};

beforeEach(() => setInviteQuestion(false));

test.each([
  ["kept", true],
  ["class", false],
  ["none", false],
  ["over", false],
])("after a sign-in whose invitation is %s, the question about the inviter is asked: %s", async (invite, isAsked) => {
  vi.spyOn(client, "call").mockImplementation(async (call) => {
    const data =
      call === getNonce
        ? nonce
        : call === createSession
          ? { user_id: "mia", created: true, invite, expires_at_ms: 0 }
          : { user_id: "mia" };
    return { data, msg: "" } as never;
  });
  await signAndEnter(
    await prepareMessage(await createPracticeSigner(new Uint8Array(32).fill(7))),
    () => true,
  );
  expect(isInviteAsked()).toBe(isAsked);
});
