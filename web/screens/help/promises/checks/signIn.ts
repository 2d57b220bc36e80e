import { ApiError } from "#api/client.ts";
import { createSession } from "#api/routes/session.ts";
import { prepareMessage } from "#web/features/session/signInFlow.ts";
import { client } from "#web/lib/api/client.ts";
import type { Check } from "./check.ts";

/** Promise 2: an address without its signature opens nothing. */
export const checkSignIn: Check = async () => {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  const address = `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  const { text } = await prepareMessage({
    used: { kind: "practice" },
    name: "",
    address,
    chainId: "1",
    sign: () => Promise.reject(new Error("never signed")),
    onChange: () => () => {},
  });
  const signature = `0x${"11".repeat(64)}1b`;
  try {
    await client.call(createSession, { address, type: "erc", message: text, signature });
  } catch (error) {
    if (error instanceof ApiError && error.error === "session.signature_wrong") {
      const shortAddress = `${address.slice(0, 6)}…${address.slice(-4)}`;
      return {
        outcome: "holds",
        messages: [{ id: "2.refused", values: { address: shortAddress } }],
      };
    }
    throw error;
  }
  return { outcome: "fails", messages: [{ id: "2.opened" }] };
};
