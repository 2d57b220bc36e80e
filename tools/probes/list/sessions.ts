import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { writeMessage } from "#core/session/message.ts";
import { expect } from "../expect.ts";
import { getData, type RawRequest } from "../http.ts";
import type { Probe } from "../probe.ts";
import { fetchNonce, type Nonce, type Person, type TestInstance } from "../testInstance.ts";

const signInPath = "/api/user/create";

async function signedMessage(
  instance: TestInstance,
  account: Person["account"],
  change: Partial<Parameters<typeof writeMessage>[0]> = {},
  givenNonce?: Nonce,
) {
  const nonce = givenNonce ?? (await fetchNonce(instance, account.address));
  const message = writeMessage({
    scheme: null,
    domain: nonce.domain,
    address: account.address,
    statement: nonce.statement,
    uri: nonce.uri,
    chainId: "1",
    nonce: nonce.nonce,
    issuedAt: nonce.issued_at,
    expirationTime: nonce.expiration_time,
    notBefore: null,
    requestId: null,
    resources: null,
    ...change,
  });
  const signature = await account.signMessage({ message });
  instance.secrets.add(signature.slice(2));
  return { address: account.address, type: "erc", message, signature };
}

const newAccount = () => privateKeyToAccount(generatePrivateKey());

/** Signs in as a page of the proxied https address does; returns the cookie's text. */
async function browserSignIn(
  instance: TestInstance,
  request: Partial<RawRequest> = {},
  account = newAccount(),
): Promise<{ cookie: string; text: string; token: string }> {
  const path = `/api/user/nonce?address=${account.address}&chain_id=1`;
  const proxied = {
    host: instance.publicHost,
    "x-forwarded-for": "203.0.113.9",
    "x-forwarded-proto": "https",
  };
  const from = instance.proxy;
  const data = getData<Nonce>(await instance.ask({ path, headers: proxied, sourceAddress: from }));
  const input = await signedMessage(instance, account, {}, data);
  const headers = { ...proxied, origin: `https://${instance.publicHost}`, ...request.headers };
  const answer = await instance.ask({
    method: "POST",
    path: signInPath,
    input,
    headers,
    sourceAddress: from,
  });
  getData(answer);
  const cookie = answer.headers["set-cookie"]?.join("; ") ?? "";
  const token = /w1Token=([^;]+)/.exec(cookie)?.[1] ?? "";
  instance.secrets.add(token);
  return { cookie, text: answer.text, token };
}

export const sessionProbes: readonly Probe[] = [
  {
    name: "nonce-replay",
    tries: "one signed message eight times at once, and once more later",
    expected: "one session, otherwise session.nonce_used",
    run: async (instance) => {
      const input = await signedMessage(instance, newAccount());
      const request = { method: "POST", path: signInPath, input };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () =>
          instance.ask({ ...request, sourceAddress: instance.network() }),
        ),
      );
      answers.push(await instance.ask(request));
      const createdCount = answers.filter(({ error }) => error === null).length;
      const usedCount = answers.filter(({ error }) => error === "session.nonce_used").length;
      expect(
        createdCount === 1 && usedCount === 8,
        `${createdCount} sessions, ${usedCount} refused as used`,
      );
      return "1 session of 9";
    },
  },
  {
    name: "message-forgery",
    tries:
      "messages for another site, address, chain and time, with more in them, another's signature",
    expected: "each is refused by name, and uses up its nonce",
    run: async (instance) => {
      const account = newAccount();
      const changes: [string, Partial<Parameters<typeof writeMessage>[0]>][] = [
        ["another site", { domain: "evil.example" }],
        ["another URI", { uri: "https://evil.example" }],
        ["another chain", { chainId: "2" }],
        ["another statement", { statement: "I agree to everything" }],
        ["an earlier beginning", { issuedAt: "2020-01-01T00:00:00.000Z" }],
        ["resources", { resources: ["https://evil.example"] }],
        ["a request id", { requestId: "1" }],
      ];
      for (const [name, change] of changes) {
        const input = await signedMessage(instance, account, change);
        const { error } = await instance.ask({ method: "POST", path: signInPath, input });
        expect(error?.startsWith("session.message_") === true, `${name}: ${error}`);
      }
      const ownSigned = await signedMessage(instance, account);
      const message = ownSigned.message;
      const signature = await newAccount().signMessage({ message });
      const wrongBody = { ...ownSigned, signature };
      const { error } = await instance.ask({ method: "POST", path: signInPath, input: wrongBody });
      expect(error === "session.signature_wrong", `another's signature: ${error}`);
      const repeated = await instance.ask({ method: "POST", path: signInPath, input: ownSigned });
      expect(repeated.error === "session.nonce_used", `the nonce afterwards: ${repeated.error}`);
      return `${changes.length + 1} refused`;
    },
  },
  {
    name: "session-fixation",
    tries: "signing in with a cookie and a token header that somebody else chose",
    expected: "another token, and the chosen one opens nothing",
    run: async (instance) => {
      const chosenToken = "A".repeat(43);
      const { token } = await browserSignIn(instance, {
        headers: { cookie: `w1Token=${chosenToken}`, token: chosenToken },
      });
      expect(token !== "" && token !== chosenToken, "the chosen token was kept");
      const { error } = await instance.ask({ path: "/api/user/getPin", token: chosenToken });
      expect(error === "session.required", `the chosen token: ${error}`);
      return "a new token";
    },
  },
  {
    name: "old-session",
    tries: "using the session that a browser had before it signed in again",
    expected: "it has ended",
    run: async (instance) => {
      const account = newAccount();
      const first = await browserSignIn(instance, {}, account);
      const headers = { cookie: `w1Token=${first.token}` };
      const second = await browserSignIn(instance, { headers }, account);
      const oldSession = await instance.ask({ path: "/api/user/getPin", token: first.token });
      const now = await instance.ask({ path: "/api/user/getPin", token: second.token });
      expect(
        oldSession.error === "session.required" && now.error === null,
        `old ${oldSession.error}, new ${now.error}`,
      );
      return "the old one has ended";
    },
  },
  {
    name: "cookie-attributes",
    tries: "reading the session's cookie by script, over http, from another site or subdomain",
    expected: "HttpOnly, Secure, SameSite, Path=/, no Domain, and the token nowhere else",
    run: async (instance) => {
      const { cookie, text, token } = await browserSignIn(instance);
      for (const attribute of [/HttpOnly/i, /Secure/i, /SameSite=(Lax|Strict)/i, /Path=\/(;|$)/i])
        expect(attribute.test(cookie), `no ${attribute.source}: ${cookie.replace(token, "…")}`);
      expect(!/Domain=/i.test(cookie), "has a Domain");
      expect(!text.includes(token), "the answer to a page shows the token");
      expect(token.length >= 43, `the token has ${token.length} characters`);
      return cookie.replace(token, "…");
    },
  },
  {
    name: "sign-out",
    tries: "a token after signing out, after revoking its session, and after ending all others",
    expected: "session.required at once; the browser's cache is cleared",
    run: async (instance) => {
      const first = await instance.person();
      const second = await instance.person(first.account);
      const post = { method: "POST", token: second.token };
      const others = { which: "others" };
      await instance.ask({ ...post, path: "/api/user/revokeAllSessions", input: others });
      const answer = await instance.ask({ path: "/api/user/getPin", token: first.token });
      expect(answer.error === "session.required", `a session ended by another: ${answer.error}`);
      const out = await instance.ask({ ...post, path: "/api/user/signOut", input: {} });
      const cleared = String(out.headers["clear-site-data"]);
      expect(cleared.includes("cache"), `clear-site-data ${cleared}`);
      const two = await instance.ask({ path: "/api/user/getPin", token: second.token });
      expect(two.error === "session.required", `after signing out: ${two.error}`);
      return "session.required, cache cleared";
    },
  },
  {
    name: "eleventh-session",
    tries: "twelve sessions of one person",
    expected: "ten stay open, the oldest ended",
    run: async (instance) => {
      const first = await instance.person();
      const tokens = [first.token];
      for (let number = 0; number < 11; number += 1)
        tokens.push((await instance.person(first.account)).token);
      const open: boolean[] = [];
      for (const token of tokens)
        open.push((await instance.ask({ path: "/api/user/getPin", token })).error === null);
      const openCount = open.filter(Boolean).length;
      expect(
        openCount === 10 && open[0] === false && open[1] === false,
        `${openCount} open: ${open.join()}`,
      );
      return "10 of 12 open";
    },
  },
  {
    name: "pin-guessing",
    tries: "wrong PINs of a withdrawal, then the right one during the delay",
    expected: "after a few, pin.locked also for the right one",
    run: async (instance) => {
      const person = await instance.person();
      await setPin(instance, person, "482917");
      const errors: (string | null)[] = [];
      for (let number = 0; number < 5; number += 1)
        errors.push((await pay(instance, person, `00000${number}`)).error);
      expect(errors[0] === "pin.wrong" && errors.at(-1) === "pin.locked", errors.join());
      const rightPin = await pay(instance, person, "482917");
      expect(rightPin.error === "pin.locked", `the right one: ${rightPin.error}`);
      return errors.join(", ");
    },
  },
  {
    name: "pin-timing",
    tries: "telling by time how many digits of a PIN are right",
    expected: "each check takes the slow hash's time, whatever the digits",
    run: async (instance) => {
      const times: Record<"near" | "far", number[]> = { near: [], far: [] };
      for (let number = 0; number < 4; number += 1) {
        const person = await instance.person();
        await setPin(instance, person, "482917");
        for (const [kind, guess] of [
          ["near", "482918"],
          ["far", "000000"],
        ] as const) {
          const { error, durationMs } = await pay(instance, person, guess);
          expect(error === "pin.wrong", `${kind}: ${error}`);
          times[kind].push(durationMs);
        }
      }
      // The minimum is affected least by the load of other programs.
      const [nearMs, farMs] = [Math.min(...times.near), Math.min(...times.far)];
      const summary = `${nearMs.toFixed(0)} ms with five digits right, ${farMs.toFixed(0)} ms with none`;
      expect(nearMs > 25 && farMs > 25 && nearMs / farMs < 2 && farMs / nearMs < 2, summary);
      return summary;
    },
  },
];

async function setPin(instance: TestInstance, { token }: Person, pin: string): Promise<void> {
  instance.secrets.add(pin);
  getData(await instance.ask({ method: "POST", path: "/api/user/setPin", input: { pin }, token }));
}

async function pay(instance: TestInstance, person: Person, pin: string) {
  const { address } = await instance.createOnce("recipient", async () => {
    const { token } = await instance.person();
    const path = "/api/user/getReceiveAddress?coin=pUSDT";
    return getData<{ address: string }>(await instance.ask({ path, token }));
  });
  return instance.change(person, "/api/user/send", { coin: "pUSDT", address, amount: "20", pin });
}
