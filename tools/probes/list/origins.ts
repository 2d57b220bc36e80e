import { calls } from "#api/calls.ts";
import { expect } from "../expect.ts";
import type { Probe } from "../probe.ts";

/** The headers that browsers send with a request from a page of another site. */
const foreignHeaders: readonly Record<string, string>[] = [
  { origin: "https://evil.example" },
  { origin: "null" },
  { origin: "http://127.0.0.1:1" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
];

export const originProbes: readonly Probe[] = [
  {
    name: "cross-site-writes",
    tries: "every POST call with a person's cookie, from pages of other sites and ports",
    expected: "request.wrong_host for each, before anything is read",
    run: async (instance) => {
      const { token } = await instance.person();
      const posts = calls.filter(({ method }) => method === "POST");
      const from = instance.network();
      for (const { path } of posts) {
        for (const item of foreignHeaders) {
          const headers = { ...item, cookie: `w1Token=${token}`, "content-type": "text/plain" };
          const { error } = await instance.ask({
            method: "POST",
            path,
            headers,
            body: "{}",
            sourceAddress: from,
          });
          expect(error === "request.wrong_host", `${path} ${JSON.stringify(item)}: ${error}`);
        }
      }
      const { error } = await instance.ask({ path: "/api/user/getPin", token });
      expect(error === null, `the session is gone afterwards: ${error}`);
      return `${posts.length} calls, ${foreignHeaders.length} kinds of page each: refused`;
    },
  },
  {
    name: "cross-site-operator-reads",
    tries: "every GET call of the console with the owner's cookie, from pages of other sites",
    expected: "request.wrong_host for each: reading is recorded, so a link must not trigger it",
    run: async (instance) => {
      const reads = calls.filter((call) => call.method === "GET" && call.access === "operator");
      const from = instance.network();
      for (const { path } of reads) {
        for (const item of foreignHeaders) {
          const headers = { ...item, cookie: `w1Token=${instance.plainOwner.token}` };
          const { error } = await instance.ask({ path, headers, sourceAddress: from });
          expect(error === "request.wrong_host", `${path} ${JSON.stringify(item)}: ${error}`);
        }
      }
      return `${reads.length} calls refused`;
    },
  },
  {
    name: "form-sign-in",
    tries: "signing a victim's browser in as somebody else, by a form on another port",
    expected: "request.wrong_host, and no cookie",
    run: async (instance) => {
      const body =
        "address=0x1111111111111111111111111111111111111111&type=erc&message=x&signature=0x";
      for (const path of ["/api/user/create", "/%61pi/user/create"]) {
        const headers = {
          origin: `http://127.0.0.1:${instance.port + 1}`,
          "sec-fetch-site": "same-site",
          "content-type": "application/x-www-form-urlencoded",
        };
        const answer = await instance.ask({ method: "POST", path, headers, body });
        expect(answer.error === "request.wrong_host", `${path}: ${answer.status} ${answer.error}`);
        expect(answer.headers["set-cookie"] === undefined, `${path} sets a cookie`);
      }
      return "refused, no cookie";
    },
  },
  {
    name: "foreign-host",
    tries: "names in Host that are not this instance's, as in DNS rebinding",
    expected: "request.wrong_host on pages and calls, and the name in no header",
    run: async ({ ask, port }) => {
      const names = [
        "evil.example",
        `evil.example:${port}`,
        "practice.example.org.evil.example",
        "evil.example#practice.example.org",
        "practice.example.org@evil.example",
        "drydock.local",
        "10.0.0.1",
        "169.254.169.254",
        "[::ffff:10.0.0.1]",
        "",
      ];
      for (const host of names) {
        for (const path of ["/home", "/api/index/getTerms", "/log/checkpoint"]) {
          const { error, status, headers } = await ask({ path, headers: { host } });
          expect(error === "request.wrong_host", `${host} ${path}: ${status} ${error}`);
          expect(!JSON.stringify(headers).includes("evil"), `${host} is echoed`);
        }
      }
      return `${names.length} names refused`;
    },
  },
  {
    name: "forwarded-host",
    tries: "X-Forwarded-Host and Forwarded, so that people sign another site's name",
    expected: "the message to sign names this host, also from the trusted proxy",
    run: async (instance) => {
      const { account } = await instance.person();
      const path = `/api/user/nonce?address=${account.address}&chain_id=1`;
      for (const from of [instance.network(), instance.proxy]) {
        const headers = {
          "x-forwarded-host": "evil.example",
          "x-forwarded-server": "evil.example",
          forwarded: "for=1.2.3.4;host=evil.example;proto=https",
        };
        const { text } = await instance.ask({ path, headers, sourceAddress: from });
        expect(!text.includes("evil") && text.includes("127.0.0.1"), text.slice(0, 200));
      }
      return "the domain stays 127.0.0.1";
    },
  },
  {
    name: "cors",
    tries: "preflights and reads with another origin and a person's cookie",
    expected: "no origin may read anything but the public log, and that without cookies",
    run: async (instance) => {
      const { token } = await instance.person();
      const from = instance.network();
      const headers = {
        origin: "https://evil.example",
        cookie: `w1Token=${token}`,
        "access-control-request-method": "POST",
      };
      for (const { path } of calls) {
        for (const method of ["OPTIONS", "GET"]) {
          const answer = await instance.ask({ method, path, headers, sourceAddress: from });
          const allowHeaders = Object.keys(answer.headers).filter((header) =>
            header.includes("allow-origin"),
          );
          expect(allowHeaders.length === 0, `${method} ${path}: ${allowHeaders.join()}`);
        }
      }
      const log = await instance.ask({ path: "/log/checkpoint", headers });
      const open = log.headers["access-control-allow-origin"];
      const withCookies = log.headers["access-control-allow-credentials"];
      expect(open === "*" && withCookies === undefined, `the log: ${open}, ${withCookies}`);
      return `${calls.length} calls without, the log open to all`;
    },
  },
  {
    name: "methods",
    tries: "TRACE, PUT, DELETE, PATCH, PROPFIND, and POST in the header of a GET",
    expected: "none is answered or echoed, and signing out by a GET does nothing",
    run: async (instance) => {
      const { token } = await instance.person();
      const headers = { "x-canary": "canary-4711", "content-length": "0" };
      const statuses = new Set<number>();
      for (const method of ["TRACE", "PUT", "DELETE", "PATCH", "PROPFIND", "OPTIONS"]) {
        for (const path of [
          "/home",
          "/api/user/signOut",
          "/api/index/getTerms",
          "/log/checkpoint",
        ]) {
          const { status, text } = await instance.ask({ method, path, headers, token });
          expect(status >= 400 && status < 500, `${method} ${path}: ${status}`);
          expect(!text.includes("canary"), `${method} ${path} echoes headers`);
          statuses.add(status);
        }
      }
      const override = {
        "x-http-method-override": "POST",
        "x-http-method": "POST",
        "x-method-override": "POST",
      };
      await instance.ask({ path: "/api/user/signOut?_method=POST", headers: override, token });
      const { error } = await instance.ask({ path: "/api/user/getPin", token });
      expect(error === null, `the session ended by a GET: ${error}`);
      return `${[...statuses].join(", ")}; the session stays`;
    },
  },
  {
    name: "open-redirect",
    tries: "other hosts and line breaks in addresses that redirect",
    expected: "redirects lead to /home on this host, and no header is added",
    run: async ({ ask }) => {
      const paths = [
        "/?next=https://evil.example",
        "/?//evil.example",
        "//evil.example",
        "//evil.example/%2e%2e",
        "/\\evil.example",
        "/%5cevil.example",
        "/%2f%2fevil.example",
        "/?%0d%0aset-cookie:%20a=b",
        "/%0d%0aset-cookie:%20a=b",
        "/operator?to=//evil.example",
      ];
      for (const path of paths) {
        const { headers } = await ask({ path });
        const to = headers.location ?? "/home";
        expect(/^\/home(\?|$)/.test(to), `${path} leads to ${to}`);
        expect(headers["set-cookie"] === undefined, `${path} sets a cookie`);
      }
      return `${paths.length} addresses stay here`;
    },
  },
  {
    name: "token-in-address",
    tries: "a session's token in the query, the path, a form field and an Authorization header",
    expected: "session.required: only the cookie and the token header count",
    run: async (instance) => {
      const { token } = await instance.person();
      const requests = [
        { path: `/api/user/getPin?token=${token}` },
        { path: `/api/user/getPin?w1Token=${token}` },
        { path: "/api/user/getPin", headers: { authorization: `Bearer ${token}` } },
        { method: "POST", path: "/api/user/signOut", input: { token } },
      ];
      for (const item of requests) {
        const { error } = await instance.ask(item);
        expect(error === "session.required", `${item.path.split("?")[0]}: ${error}`);
      }
      return "session.required";
    },
  },
];
