import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { changesSomething } from "#api/call.ts";
import { calls } from "#api/calls.ts";
import { permissions } from "#core/operator/permissions.ts";
import { writeMessage } from "#core/session/message.ts";
import { newKey } from "#server/testing/client.ts";
import { expect } from "../expect.ts";
import { getData } from "../http.ts";
import type { Probe } from "../probe.ts";
import { fetchNonce, type Nonce, type TestInstance } from "../testInstance.ts";

const consoleCalls = calls.filter(({ access }) => access === "operator");

/** Calls slowly enough for the limit on a person's calls. */
async function tryCall(
  instance: TestInstance,
  { method, path }: (typeof calls)[number],
  token?: string,
) {
  const from = "127.23.0.1";
  if (token) await sleep(30);
  const headers = { "idempotency-key": newKey() };
  const input = method === "POST" ? {} : undefined;
  return instance.ask({
    method,
    path,
    headers,
    sourceAddress: from,
    ...(input && { input }),
    ...(token && { token }),
  });
}

async function signMessage(instance: TestInstance, nonce: Nonce & { address?: string }) {
  const { account } = instance.owner;
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
  });
  return { message, signature: await account.signMessage({ message }) };
}

const fetchElevationNonce = async (instance: TestInstance, token: string) =>
  getData<Nonce>(
    await instance.ask({
      path: "/api/operator/getRaiseNonce?chain_id=1",
      token,
      sourceAddress: instance.network(),
    }),
  );

export const operatorProbes: readonly Probe[] = [
  {
    name: "console-calls",
    tries: "every call of the console without a session, as a person, and as an owner not elevated",
    expected:
      "session.required, operator.required; operator.raise_required where elevation is needed",
    run: async (instance) => {
      const { token } = await instance.person();
      let elevated = 0;
      for (const call of consoleCalls) {
        const nobody = await tryCall(instance, call);
        expect(nobody.error === "session.required", `${call.path} without: ${nobody.error}`);
        const person = await tryCall(instance, call, token);
        expect(person.error === "operator.required", `${call.path} as a person: ${person.error}`);
        if (!call.permission || !changesSomething(call)) continue;
        if (!permissions[call.permission].elevated) continue;
        const owner = await tryCall(instance, call, instance.plainOwner.token);
        expect(owner.error === "operator.raise_required", `${call.path} as owner: ${owner.error}`);
        elevated += 1;
      }
      const hasEnough = elevated > 20;
      expect(hasEnough, `only ${elevated} calls need elevation`);
      return `${consoleCalls.length} calls refused, ${elevated} without elevation`;
    },
  },
  {
    name: "elevation-replay",
    tries:
      "an elevation's message twice, in another session, as a sign-in; a sign-in's as an elevation",
    expected: "each is refused by name, and the other session stays as it was",
    run: async (instance) => {
      const { owner, plainOwner } = instance;
      const post = (path: string, token: string, input: object) =>
        instance.ask({
          method: "POST",
          path,
          input,
          token,
          headers: { "idempotency-key": newKey() },
        });
      const proof = await signMessage(instance, await fetchElevationNonce(instance, owner.token));
      const otherSession = await post("/api/operator/raise", plainOwner.token, proof);
      expect(
        otherSession.error?.startsWith("session.nonce") === true,
        `another session: ${otherSession.error}`,
      );
      const signIn = { ...proof, address: owner.account.address, type: "erc" };
      const asSignIn = await instance.ask({
        method: "POST",
        path: "/api/user/create",
        input: signIn,
      });
      expect(asSignIn.error !== null, "an elevation signs in");
      const wrongBody = {
        ...(await signMessage(instance, await fetchElevationNonce(instance, owner.token))),
        passphrase: "not the passphrase",
      };
      const first = await post("/api/operator/raise", owner.token, wrongBody);
      expect(first.error === "operator.passphrase_wrong", `a wrong passphrase: ${first.error}`);
      const second = await post("/api/operator/raise", owner.token, wrongBody);
      expect(second.error === "session.nonce_used", `the same again: ${second.error}`);
      const givenNonce = await fetchNonce(instance, owner.account.address);
      const asElevation = await post(
        "/api/operator/raise",
        plainOwner.token,
        await signMessage(instance, givenNonce),
      );
      expect(
        asElevation.error?.startsWith("session.") === true,
        `a sign-in elevates: ${asElevation.error}`,
      );
      const bareElevation = await signMessage(
        instance,
        await fetchElevationNonce(instance, plainOwner.token),
      );
      const unprovedAnswer = await post("/api/operator/raise", plainOwner.token, bareElevation);
      expect(
        unprovedAnswer.error === "operator.proof_required",
        `without a factor: ${unprovedAnswer.error}`,
      );
      return [otherSession, asSignIn, second, asElevation, unprovedAnswer]
        .map(({ error }) => error)
        .join(", ");
    },
  },
  {
    name: "code-guessing",
    tries: "40 codes of a viewing, and 20 codes that make an operator",
    expected: "viewing codes meet a limit, no code fits, the log has an event for each kind",
    run: async (instance) => {
      const open = "/api/operator/people/openViewing";
      const errors: (string | null)[] = [];
      for (let number = 0; number < 40; number += 1) {
        const code = `3467${String(number).padStart(4, "A")}`;
        errors.push((await instance.change(instance.owner, open, { code })).error);
      }
      const allowedErrors = ["people.code_unknown", "request.too_many", "request.malformed"];
      const unexpectedErrors = errors.filter((error) => !allowedErrors.includes(String(error)));
      expect(
        unexpectedErrors.length === 0 && errors.includes("request.too_many"),
        [...new Set(errors)].join(),
      );
      const person = await instance.person();
      for (let number = 0; number < 20; number += 1) {
        const code = `0000-0000-0000-0000-0000-0000-${String(number).padStart(4, "0")}`;
        const { error } = await instance.change(person, "/api/operator/claim", { code, name: "x" });
        expect(error === "operator.code_unknown", `claim: ${error}`);
      }
      await sleep(300);
      for (const event of ["viewing.code_refused", "operator.code_refused"])
        expect(instance.readOutput().includes(`"event":"${event}"`), `no event ${event}`);
      return `${errors.filter((error) => error === "people.code_unknown").length} of 40 looked up`;
    },
  },
  {
    name: "server-side-requests",
    tries: "addresses of a listener on this machine in links, pictures, texts, reports and headers",
    expected: "nobody connects to it, and links that are not https to a public name are refused",
    run: async (instance) => {
      let connections = 0;
      const listener = createServer((socket) => {
        connections += 1;
        socket.destroy();
      });
      await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
      const { port } = listener.address() as { port: number };
      const url = `http://127.0.0.1:${port}/probe`;
      const refusals = await publishLinks(instance, url);
      const report = { type: "script", code: "x", message: url, page_url: url };
      const path = "/api/index/reportError";
      const headers = {
        referer: url,
        "x-forwarded-host": `127.0.0.1:${port}`,
        "x-original-url": url,
        forwarded: `host=127.0.0.1:${port}`,
      };
      const from = instance.network();
      await instance.ask({ method: "POST", path, input: report, headers, sourceAddress: from });
      await instance.ask({ path: `${url.replace("http://", "/http://")}` });
      await instance.ask({ path: `/log/tile/${encodeURIComponent(url)}` });
      await sleep(2_500);
      listener.close();
      expect(connections === 0, `${connections} connections arrived`);
      return `no connection; links: ${refusals.join(", ")}`;
    },
  },
];

/** Tries to publish the address as links and in a text; returns the answers. */
async function publishLinks(instance: TestInstance, url: string): Promise<string[]> {
  const createBody = (title: string) => ({ languages: { en: { title } } });
  const answers: string[] = [];
  for (const [kind, body] of [
    ["help_link", { url, ...createBody("Help") }],
    ["support_link", { url, ...createBody("Support") }],
    [
      "news",
      {
        languages: {
          en: { title: "News", summary: "s", body: `![x](${url}) [y](${url}) <img src="${url}">` },
        },
      },
    ],
  ] as const) {
    const path = `/api/operator/publishing/${kind}`;
    const id = randomUUID();
    const draft = await instance.change(instance.owner, `${path}/save`, { id, revision: 0, body });
    if (draft.error !== null) {
      answers.push(draft.error);
      continue;
    }
    const publish = { id, revision: draft.data?.revision, at_ms: null };
    const { error } = await instance.change(instance.owner, `${path}/publish`, publish);
    expect(error !== null, `${kind} was published with ${url}`);
    answers.push(error);
  }
  const { error } = await instance.change(instance.owner, "/api/operator/setChatLink", {
    url,
    chat_link: url,
  });
  answers.push(String(error));
  return answers;
}
