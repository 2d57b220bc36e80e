import { setTimeout as sleep } from "node:timers/promises";
import { calls } from "#api/calls.ts";
import { screens } from "#core/screens/screens.ts";
import { expect } from "../expect.ts";
import { getHolder } from "../holder.ts";
import type { Answer } from "../http.ts";
import type { Probe } from "../probe.ts";
import type { TestInstance } from "../testInstance.ts";

/** Details of the program that an error must not reveal. */
const internals =
  /\bat .+:\d+:\d+|node_modules|file:\/\/|\/server\/|\bselect\b.+\bfrom\b|postgres|fastify|kysely|zod|ECONN|\.ts\b/i;

/** Directives that every policy has. */
const directives = [
  "default-src 'none'",
  "script-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
];

function findMissing({ headers }: Answer): string[] {
  const policy = String(headers["content-security-policy"] ?? "");
  const missingDirectives = directives.filter((directive) => !policy.includes(directive));
  if (/unsafe|\*|https?:(?!\/\/)/.test(policy)) missingDirectives.push(`too open: ${policy}`);
  if (headers["x-content-type-options"] !== "nosniff") missingDirectives.push("nosniff");
  if (headers["referrer-policy"] !== "no-referrer") missingDirectives.push("referrer-policy");
  if (headers["cross-origin-opener-policy"] !== "same-origin")
    missingDirectives.push("opener policy");
  if (headers["x-powered-by"] !== undefined || headers.server !== undefined)
    missingDirectives.push("names its server");
  return missingDirectives;
}

/** Requests that are refused, each for a different reason. */
function listRefusedRequests(
  instance: TestInstance,
  token: string,
): Parameters<TestInstance["ask"]>[0][] {
  const json = { "content-type": "application/json" };
  return [
    { path: "/api/none" },
    { path: "/none.css" },
    { path: "/%zz" },
    { path: "/assets/none.js" },
    { path: "/api/user/getPin" },
    { path: "/api/operator/getFactors", token },
    { path: "/api/contract/getContractDetails" },
    { path: "/api/log/getInclusion?leaf=9999999999&size=99999999999" },
    { path: "/api/contract/getKlineData?contract_id=btc-usdt&interval=2m" },
    { path: "/api/user/findWithdraw?withdrawal_id='", token },
    { path: "/home", headers: { host: "evil.example" } },
    { method: "POST", path: "/api/index/config", body: "{", headers: json },
    {
      method: "POST",
      path: "/api/index/config",
      body: "x",
      headers: { "content-type": "text/xml" },
    },
    { method: "POST", path: "/api/user/send", input: {}, token },
    { method: "POST", path: "/api/user/send", input: { amount: [] }, token },
    { method: "POST", path: "/api/user/recharge", input: {}, token },
    { method: "POST", path: "/home", input: {} },
    { method: "DELETE", path: "/api/user/getPin", headers: { "content-length": "0" } },
    { path: "/log/tile/0/none" },
  ].map((request) => ({ ...request, sourceAddress: instance.network() }));
}

export const answerProbes: readonly Probe[] = [
  {
    name: "page-headers",
    tries: "every screen, the console, files, calls, errors and redirects over the public name",
    expected: "each has the whole policy, nosniff, no-referrer and HSTS for a year with subdomains",
    run: async (instance) => {
      const paths = [
        ...screens.map(({ path }) => path),
        ...["/", "/operator", "/operator/people", "/none", "/none.css", "/api/none", "/api/health"],
        ...[
          "/api/index/getTerms",
          "/api/openapi.json",
          "/log/checkpoint",
          "/api/user/getPin",
          "/%zz",
        ],
      ];
      const from = instance.network();
      for (const path of paths) {
        const answer = await instance.ask({
          path,
          sourceAddress: from,
          headers: { host: instance.publicHost },
        });
        const missingHeaders = findMissing(answer);
        const hsts = String(answer.headers["strict-transport-security"]);
        const isHsts = hsts === "max-age=31536000; includeSubDomains";
        expect(missingHeaders.length === 0 && isHsts, `${path}: ${missingHeaders.join()} ${hsts}`);
      }
      return `${paths.length} addresses`;
    },
  },
  {
    name: "private-answers",
    tries: "keeping a person's answers in a cache, embedding them elsewhere, having them sniffed",
    expected: "no-store, same-origin, nosniff, and their type with its charset",
    run: async (instance) => {
      const { token } = await getHolder(instance);
      const reads = calls.filter(({ method, access }) => method === "GET" && access === "user");
      const from = "127.24.0.1";
      let answerCount = 0;
      for (const { path, file } of reads) {
        const { headers, status, error } = await instance.ask({ path, token, sourceAddress: from });
        if (error === "request.too_many") await sleep(1_000);
        expect(headers["cache-control"] === "no-store", `${path}: ${headers["cache-control"]}`);
        const policy = String(headers["cross-origin-resource-policy"]);
        expect(policy === "same-origin", `${path}: resource policy ${policy}`);
        expect(headers["x-content-type-options"] === "nosniff", `${path}: no nosniff`);
        const type = String(headers["content-type"]);
        const isJson = type === "application/json; charset=utf-8";
        expect(isJson || (status === 200 && file !== undefined), `${path}: ${type}`);
        if (status === 200) answerCount += 1;
      }
      expect(answerCount > 15, `only ${answerCount} of ${reads.length} answered`);
      return `${reads.length} calls, ${answerCount} with a person's data`;
    },
  },
  {
    name: "error-bodies",
    tries: "twenty requests that fail in different places",
    expected: "an error's name and sentence; no stack, path, statement, package or server name",
    run: async (instance) => {
      const { token } = await instance.person();
      const statuses = new Set<number>();
      const requests = listRefusedRequests(instance, token);
      for (const rawRequest of requests) {
        const answer = await instance.ask(rawRequest);
        const { status, text, error } = answer;
        const what = `${rawRequest.method ?? "GET"} ${rawRequest.path}: ${status} ${text.slice(0, 160)}`;
        expect(status >= 400 && status < 500 && error !== null, what);
        expect(!internals.test(text), what);
        expect(findMissing(answer).length === 0, `${what} ${findMissing(answer).join()}`);
        statuses.add(status);
      }
      return `${requests.length} refusals: ${[...statuses].toSorted((a, b) => a - b).join(", ")}`;
    },
  },
  {
    name: "log-injection",
    tries: "line breaks, quotes and terminal escapes in addresses, headers, bodies and languages",
    expected: "every line of the log stays one JSON object without any of it",
    run: async (instance) => {
      const canary = "canary-0815";
      const forgedLine = `${canary}"}\u001b[2J{"level":60,"msg":"forged"}`;
      const encoded = encodeURIComponent(`${canary}\n{"level":60}`);
      const headers = {
        "user-agent": forgedLine.replaceAll("\u001b", ""),
        referer: `https://evil.example/${encoded}`,
        language: forgedLine.replaceAll("\u001b", ""),
        "x-request-id": canary,
        "x-forwarded-for": `${canary}, 1.2.3.4`,
      };
      const post = { method: "POST", headers, sourceAddress: instance.network() };
      await instance.ask({ path: `/${encoded}`, headers });
      await instance.ask({ path: `/api/${encoded}?${encoded}`, headers });
      await instance.ask({ path: `/api/user/nonce?address=${encoded}&chain_id=1`, headers });
      await instance.ask({
        ...post,
        path: "/api/user/create",
        input: { address: forgedLine, type: forgedLine },
      });
      await instance.ask({ ...post, path: `/api/user/send?${encoded}`, body: forgedLine });
      await sleep(500);
      requireWellFormed(instance.readOutput());
      const index = instance.readOutput().indexOf("canary-");
      expect(
        index < 0,
        `the log has ${JSON.stringify(instance.readOutput().slice(index - 80, index + 40))}`,
      );
      return "no line forged, nothing of it written";
    },
  },
  {
    // Last, because it searches the log for what all the others used.
    name: "log-secrets",
    tries:
      "finding tokens, keys, addresses, signatures and PINs of this run in all that was printed",
    expected: "none, at the most talkative level",
    run: async (instance) => {
      const text = instance.readOutput();
      const lines = requireWellFormed(text);
      for (const secret of instance.secrets) {
        if (secret === "") continue;
        const isThere = new RegExp(`(?<![0-9a-z])(0x)?${secret}(?![0-9a-z])`, "i").test(text);
        const kind = `${secret.length} characters, ${secret.slice(0, 3)}…`;
        expect(!isThere, `a secret of ${kind} is in the log`);
      }
      expect(
        lines > 50 && instance.secrets.size > 2,
        `${lines} lines, ${instance.secrets.size} secrets`,
      );
      return `${instance.secrets.size} secrets in none of ${lines} lines`;
    },
  },
];

/** Number of lines of the log; other lines are those that a start prints. */
function requireWellFormed(text: string): number {
  const lines = text.split("\n").filter((line) => /^\s*\{|"level":/.test(line));
  // The last line may still be incomplete.
  for (const line of lines.slice(0, -1)) {
    try {
      JSON.parse(line);
    } catch {
      expect(false, `not a line of JSON: ${line.slice(0, 120)}`);
    }
  }
  return lines.length;
}
