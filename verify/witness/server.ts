import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Answer } from "./answer.ts";
import { statusPage } from "./page.ts";
import type { Witness } from "./witness.ts";

const bodyMax = 64 * 1024;

/** The witness's server at `<host>:<port>`; rejects when it cannot listen there. */
export async function listenOn(
  listen: string,
  witness: Witness,
  identity: { url: string; vkey: string },
): Promise<Server> {
  const server = createServer((request, response) => {
    void answer(request, witness, identity)
      .catch(() => ({ status: 500, type: "text/plain", body: "failed\n" }))
      .then(({ status, type, body }) => {
        const headers = status === 413 ? { connection: "close" } : {};
        response.writeHead(status, { "content-type": type, ...headers }).end(body);
      });
  });
  const [, host = "127.0.0.1", port = ""] = /^(.*):([0-9]+)$/.exec(listen) ?? [];
  server.requestTimeout = 10_000;
  server.listen(Number(port), host.replace(/^\[|\]$/g, ""));
  await once(server, "listening");
  return server;
}

async function answer(
  request: IncomingMessage,
  witness: Witness,
  { url, vkey }: { url: string; vkey: string },
): Promise<Answer> {
  const path = (request.url ?? "").split("?")[0] ?? "";
  if (request.method === "POST" && path === "/add-checkpoint") {
    const body = await readBody(request);
    if (body === null) return { status: 413, type: "text/plain", body: "too large\n" };
    return await witness.addCheckpoint(body);
  }
  const hash = /^\/([0-9a-f]{64})\/checkpoint$/.exec(path)?.[1];
  if (request.method === "GET" && hash) return witness.checkpointOf(hash);
  if (request.method === "GET" && path === "/")
    return { status: 200, type: "text/html; charset=utf-8", body: statusPage(witness, url, vkey) };
  return { status: 404, type: "text/plain", body: "not found\n" };
}

/**
 * Null when it is too large. The rest is then read and dropped: ending the request would end the
 * connection before the answer.
 */
function readBody(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on("data", (part: Buffer) => {
      size += part.length;
      if (size <= bodyMax) parts.push(part);
      else resolve(null);
    });
    request.on("end", () => resolve(Buffer.concat(parts).toString("utf8")));
    request.on("error", reject);
  });
}
