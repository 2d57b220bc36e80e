import { randomUUID } from "node:crypto";
import { type Browser, expect } from "@playwright/test";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { createIdempotencyKey } from "./idempotencyKey.ts";
import { completeSignIn, getSheet, openVisitor, press } from "./peopleActions.ts";
import type { TestServer } from "./testServer.ts";

type Send = (method: "GET" | "POST", path: string, input: object) => Promise<unknown>;

/**
 * Calls as the first operator of a new instance, who joined with the code printed at start. Needs
 * no browser.
 */
export async function signInFirstOperator(server: TestServer): Promise<Send> {
  const account = privateKeyToAccount(generatePrivateKey());
  let token = "";
  const send: Send = async (method, path, input) => {
    const query = method === "GET" ? `?${new URLSearchParams(Object.entries(input))}` : "";
    const answer = await fetch(`${server.url}${path}${query}`, {
      method,
      headers: {
        "content-type": "application/json",
        "idempotency-key": createIdempotencyKey(),
        token,
      },
      ...(method === "POST" ? { body: JSON.stringify(input) } : {}),
    });
    const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: never };
    if (code !== 1) throw new Error(`${path}: ${msg}`);
    return data;
  };
  const { address } = account;
  const nonce = (await send("GET", "/api/user/nonce", { address, chain_id: "1" })) as Record<
    string,
    string
  >;
  const { message, signature } = await signMessage(account, address, nonce);
  const signedIn = await send("POST", "/api/user/create", {
    ...{ address, type: "erc", message, signature },
  });
  token = (signedIn as { token: string }).token;
  const code = /code, once, within 12 hours: (\S+)/.exec(server.readOutput())?.[1];
  await send("POST", "/api/operator/claim", { code, name: "Harbour office" });
  // Publishing takes a second factor, and setting the first takes a signature.
  const raiseNonce = (await send("GET", "/api/operator/getRaiseNonce", { chain_id: "1" })) as Nonce;
  await send("POST", "/api/operator/raise", await signMessage(account, address, raiseNonce));
  await send("POST", "/api/operator/setPassphrase", { passphrase: "kettle ochre vane and lamp" });
  return send;
}

type Nonce = Record<string, string>;

/** Signs the sign-in message (EIP-4361) of a nonce. */
async function signMessage(account: PrivateKeyAccount, address: string, nonce: Nonce) {
  const message = [
    `${nonce.domain} wants you to sign in with your Ethereum account:`,
    ...[address, "", nonce.statement, "", `URI: ${nonce.uri}`, "Version: 1", "Chain ID: 1"],
    ...[`Nonce: ${nonce.nonce}`, `Issued At: ${nonce.issued_at}`],
    `Expiration Time: ${nonce.expiration_time}`,
  ].join("\n");
  return { message, signature: await account.signMessage({ message }) };
}

/** Publishes immediately and waits until it is live. */
export async function publish(send: Send, kind: "news" | "notice", body: object): Promise<string> {
  const id = randomUUID();
  const path = `/api/operator/publishing/${kind}`;
  const draft = (await send("POST", `${path}/save`, { id, revision: 0, body })) as {
    revision: number;
  };
  await send("POST", `${path}/publish`, { id, revision: draft.revision, at_ms: null });
  await expect.poll(() => send("GET", `${path}/read`, { id })).toMatchObject({ live: true });
  return id;
}

/** A dialog that arrives while a person is in the middle of something waits for the next screen. */
export async function waitUntilIdle(browser: Browser, url: string): Promise<void> {
  const page = await openVisitor(browser, url);
  let come: () => void = () => {};
  const opening = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route("**/findNotice?type=dialog", async (route) => {
    await opening;
    await route.continue();
  });
  await page.goto("/ucenter");
  await press(page, "Sign in");
  await expect(getSheet(page)).toBeVisible();
  const answer = page.waitForResponse("**/findNotice?type=dialog");
  come();
  await (await answer).finished();
  await completeSignIn(page);
  await expect(page.getByText(/^User /)).toBeVisible();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await page.getByRole("navigation").getByRole("link", { name: "Home" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("Exercise today");
  await page.context().close();
}
