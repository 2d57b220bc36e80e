import { expect } from "../expect.ts";
import type { Probe } from "../probe.ts";

/** Content that would show that a file outside of the web app was served. */
const outsideText = /"name": "drydock"|root:.*:0:0|PRIVATE KEY|\[core\]|ref: refs|directory-id/;

const parentPaths = [
  "/../package.json",
  "/../../package.json",
  "/%2e%2e/package.json",
  "/..%2fpackage.json",
  "/..%2f..%2f..%2f..%2f..%2fetc%2fpasswd",
  "/%2e%2e%2f%2e%2e%2fpackage.json",
  "/%252e%252e%252fpackage.json",
  "/..\\..\\package.json",
  "/..%5c..%5cpackage.json",
  "/assets/../../../package.json",
  "/assets/..%2f..%2f..%2fpackage.json",
  "/operator/assets/%2e%2e/%2e%2e/%2e%2e/package.json",
  "/assets/%c0%ae%c0%ae/package.json",
  "/home%00.json",
  "//etc/passwd",
  "/assets//etc/passwd",
];

const hiddenPaths = [
  "/.git/HEAD",
  "/.git/config",
  "/.env",
  "/package.json",
  "/package-lock.json",
  "/server/main.ts",
  "/node_modules/fastify/package.json",
  "/data/postgres-passwords.json",
  "/postgres-passwords.json",
  "/assets",
  "/assets/",
  "/operator/assets/",
];

export const pathProbes: readonly Probe[] = [
  {
    name: "encoded-call",
    tries: "calls by encoded paths, with the origin of another site",
    expected: "refused by their origin, and answers not to be cached, as by the plain path",
    run: async ({ ask }) => {
      const summaries: string[] = [];
      for (const path of [
        "/%61pi/index/config",
        "/a%70i/index/config",
        "/%61%70%69/index/config",
      ]) {
        const headers = { origin: "https://evil.example" };
        const { error, status } = await ask({ method: "POST", path, headers, input: {} });
        expect(error === "request.wrong_host", `${path}: ${status} ${error}`);
        const answer = await ask({ path: path.replace("config", "getTerms") });
        const cached = String(answer.headers["cache-control"]);
        expect(cached === "no-store", `${path}: cache-control ${cached}`);
        summaries.push(path);
      }
      return `${summaries.length} encoded paths refused, no-store`;
    },
  },
  {
    name: "odd-call",
    tries: "calls by doubled slashes, capitals, parameters of a segment and dots",
    expected: "no call answers by them",
    run: async ({ ask }) => {
      const paths = [
        "//api/index/getTerms",
        "/api//index/getTerms",
        "/API/index/getTerms",
        "/api/index/GetTerms",
        "/api;x=1/index/getTerms",
        "/api%2Findex%2FgetTerms",
        "/api/index/getTerms/",
        "/./api/index/getTerms",
        "/home/../api/index/getTerms",
        "/api/index/getTerms%00",
        "/api/index/getTerms.css",
      ];
      for (const path of paths) {
        const { status, text } = await ask({ path });
        expect(!text.includes('"code":1') && status < 500, `${path}: ${status}`);
      }
      return `${paths.length} paths, no call among them`;
    },
  },
  {
    name: "file-traversal",
    tries: "files above the web app's folder, by dots plain, encoded and encoded twice",
    expected: "never a file, never a failure",
    run: async ({ ask }) => {
      const statuses = new Set<number>();
      for (const path of parentPaths) {
        const { status, text } = await ask({ path });
        expect(status < 500 && !outsideText.test(text), `${path}: ${status} ${text.slice(0, 60)}`);
        statuses.add(status);
      }
      return `${parentPaths.length} paths: ${[...statuses].join(", ")}`;
    },
  },
  {
    name: "hidden-files",
    tries:
      "the repository's, the data directory's and the packages' files, and listings of folders",
    expected: "none is served",
    run: async ({ ask }) => {
      for (const path of hiddenPaths) {
        const { status, text } = await ask({ path });
        expect(
          status === 404 && !outsideText.test(text),
          `${path}: ${status} ${text.slice(0, 60)}`,
        );
      }
      return `${hiddenPaths.length} paths: 404`;
    },
  },
  {
    name: "log-tile-traversal",
    tries: "paths of log tiles with dots, other forms of a number, and beyond the checkpoint",
    expected: "404 for each",
    run: async ({ ask }) => {
      const tiles = [
        "../checkpoint",
        "..%2f..%2f..%2fetc%2fpasswd",
        "0/../../../package.json",
        "entries/%2e%2e/%2e%2e/x",
        "0/-01",
        "0/1e3",
        "0/0x1",
        "0/x999/x999/x999/999",
        "64/000",
        "0/000.p/0",
        "0/000.p/257",
        "entries/999",
        "0/000%00",
        "0/'%20or%201=1--",
      ];
      for (const tile of tiles) {
        const { status, text } = await ask({ path: `/log/tile/${tile}` });
        expect(status === 404, `/log/tile/${tile}: ${status} ${text.slice(0, 80)}`);
      }
      return `${tiles.length} paths: 404`;
    },
  },
  {
    name: "cache-deception",
    tries: "a person's call with the ending of a picture or script, for a cache to keep",
    expected: "404 as an envelope, none of the person's data, not to be cached for long",
    run: async (instance) => {
      const { token } = await instance.person();
      const paths = ["/api/user/getWalletList/x.css", "/api/user/getWalletList;x.js"];
      for (const path of [...paths, "/api/user/getWalletList%2Fx.png"]) {
        const headers = { cookie: `w1Token=${token}` };
        const { status, text, headers: answerHeaders } = await instance.ask({ path, headers });
        expect(status === 404 && !text.includes("available"), `${path}: ${status}`);
        const cached = String(answerHeaders["cache-control"] ?? "");
        expect(!/public|max-age=[1-9]/.test(cached), `${path}: cache-control ${cached}`);
      }
      return "404, no data";
    },
  },
];
