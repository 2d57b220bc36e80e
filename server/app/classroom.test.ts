import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { App } from "#server/platform/http/context.ts";
import { newKey } from "#server/testing/client.ts";
import { signNonce } from "#server/testing/signNonce.ts";
import { createTestApp, type TestApp } from "#server/testing/testApp.ts";
import type { TestContext } from "#server/testing/testContext.ts";

/**
 * A class opens the app at one moment, behind one address. The clocks are stopped and no bucket
 * refills, so for the limits everything below happens at one moment.
 */
const pupils = 30;
/** The whole web app in one language: 445 files, and one for each of its thirty namespaces. */
const filesOfApp = 475;
/** An upper bound on the files that the screens of this test load. */
const filesLoaded = 60;

const directory = mkdtempSync(join(tmpdir(), "drydock-class-"));
const files = Array.from({ length: filesLoaded }, (_, number) => `assets/part-${number}.js`);
let ctx: TestContext;
let app: App;
let close: TestApp["close"];
beforeAll(async () => {
  mkdirSync(join(directory, "assets"));
  writeFileSync(join(directory, "index.html"), "<!doctype html><title>Drydock</title>");
  for (const file of files) writeFileSync(join(directory, file), "export {};");
  ({ ctx, app, close } = await createTestApp({ pages: directory }));
});
afterAll(async () => {
  await close();
  rmSync(directory, { recursive: true, force: true });
});

const refusals: string[] = [];
const host = "localhost:4100";

/** A pupil's browser: its cookie and the refusals it got. */
function createBrowser(number: number) {
  const account = privateKeyToAccount(`0x${(9000 + number).toString(16).padStart(64, "0")}`);
  let cookie = "w1Token=left-from-another-day";
  const request = async (method: "GET" | "POST", url: string, payload?: object) => {
    const page = { origin: `http://${host}`, "sec-fetch-site": "same-origin" };
    const key = { "idempotency-key": newKey() };
    const headers = { host, cookie, ...(method === "POST" ? { ...page, ...key } : {}) };
    const answer = await app.inject({ method, url, headers, ...(payload && { payload }) });
    if (answer.statusCode === 429) refusals.push(`${method} ${url}: ${answer.json().data?.limit}`);
    const cookies = answer.headers["set-cookie"];
    if (typeof cookies === "string") cookie = cookies.split(";")[0]!;
    return answer;
  };
  const call = async (method: "GET" | "POST", url: string, payload?: object) =>
    (await request(method, url, payload)).json().data;
  return {
    open: async () => {
      await request("GET", "/home");
      for (const file of files) await request("GET", `/${file}`);
      await request("POST", "/api/index/config", {});
      for (const url of ["getNewsList", "findNotice?type=bar", "findNotice?type=dialog"])
        await request("GET", `/api/index/${url}`);
      await request("GET", "/api/contract/getContractList?type=all");
      await request("POST", "/api/user/userinfo", {});
    },
    signIn: async () => {
      const { address } = account;
      const nonce = await call("GET", `/api/user/nonce?address=${address}&chain_id=1`);
      const { message, signature } = await signNonce(account, nonce);
      const params = { address, type: "erc", message, signature };
      expect(await call("POST", "/api/user/create", params)).toMatchObject({ created: true });
      const terms = await call("GET", "/api/index/getTerms");
      await call("POST", "/api/user/authorize", { version: terms.version });
    },
    trade: async () => {
      const { items } = await call("GET", "/api/user/getWalletList");
      expect(items.length).toBeGreaterThan(0);
      const list = await call("GET", "/api/contract/getContractList?type=all");
      const id = list.items[0].contract_id;
      await call("GET", `/api/contract/getContractDetails?contract_id=${id}`);
      await request("GET", `/api/contract/getKlineData?contract_id=${id}&interval=1m`);
      for (let order = 0; order < 5; order += 1) {
        await request("POST", "/api/user/exchangeCoin", { quote_id: newKey() });
        await request("GET", `/api/contract/getOrderList?contract_id=${id}`);
        await request("POST", "/api/user/userinfo", {});
      }
    },
  };
}

test("thirty browsers behind one address sign in and trade without a refusal", async () => {
  const browsers = Array.from({ length: pupils }, (_, number) => createBrowser(number));
  for (const step of ["open", "signIn", "trade"] as const) {
    await Promise.all(browsers.map((browser) => browser[step]()));
    expect(refusals, step).toEqual([]);
  }
  // Even if every browser fetched every existing file.
  const remainingFiles = pupils * (filesOfApp - filesLoaded);
  for (let number = 0; number < remainingFiles; number += 1)
    app.platform.limits.admit("127.0.0.1", false);
  expect(ctx.securityEvents.filter(({ event }) => event === "limit.reached")).toEqual([]);
}, 120_000);
