import type { AnswerOf } from "#api/call.ts";
import { calls } from "#api/calls.ts";
import { getSeconds } from "#api/market.ts";
import { getConfig, getTerms } from "#api/meta.ts";
import { findNotice } from "#api/publishing.ts";
import { getAuditHead, getLogState, getPublication } from "#api/transparencyLog.ts";
import { isSymbol, symbols } from "#core/market/symbols.ts";
import { coinCodes, coins } from "#core/money/coins.ts";
import { pageFileAt } from "#core/screens/screens.ts";
import { bytesToHex } from "#core/transparency-log/bytes.ts";
import { screenRoots } from "#server/app/http.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { createLocalBus } from "#server/platform/bus/bus.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createHttpApp } from "#server/platform/http/app.ts";
import type { App } from "#server/platform/http/context.ts";
import { getSocketUrl } from "#server/platform/http/headers.ts";
import { route } from "#server/platform/http/route.ts";
import { createStream } from "#server/platform/http/stream.ts";
import { buildPracticeTerms, termsVersion } from "#server/platform/terms.ts";
import type { ArchiveFile } from "#server/transparency-log/archiveFile.ts";
import { renderArchivePage } from "./archivePage.ts";
import { plainPageHeaders } from "./plainPage.ts";

type HttpContext = Parameters<typeof createHttpApp>[0] & Pick<AppContext, "messages">;

/** The path of the list of contents. */
const contentsPath = "/archive";

/** Calls that an archive answers; it refuses all others. */
const answeredCalls = [
  getConfig,
  getTerms,
  findNotice,
  getSeconds,
  getLogState,
  getAuditHead,
  getPublication,
];

/**
 * The web server of an archive: the files of its log, its published texts, and of the web app the
 * screen that checks them. Signing in is not possible, and every other call is `world.archived`.
 * `pages` is the directory of the built pages; null: none are served.
 */
export async function createArchiveApp(
  ctx: HttpContext,
  archive: ArchiveFile,
  pages: string | null,
): Promise<App> {
  const app = await createHttpApp(
    ctx,
    async () => null,
    pages === null
      ? null
      : {
          directory: pages,
          screens: screenRoots,
          fileAt: pageFileAt,
          startPath: contentsPath,
        },
  );
  // Never pushes: the app waits for prices as on a quiet market.
  await createStream(
    app,
    createLocalBus(() => {}),
  );
  logFiles(app, archive);
  logCalls(app, archive);
  frameCalls(app, ctx, archive);
  app.get(contentsPath, (request, reply) =>
    reply.headers(plainPageHeaders).send(renderArchivePage(archive, request.raw, ctx.messages)),
  );
  for (const { method, path } of calls)
    if (!answeredCalls.some((item) => item.path === path))
      app.route({ method, url: path, handler: refuse });
  await app.ready();
  return app;
}

async function refuse(): Promise<never> {
  throw new ApiError("world.archived");
}

/** The paths at which an instance serves them; a witness or a verifier elsewhere may read them. */
function logFiles(app: App, archive: ArchiveFile): void {
  app.get<{ Params: { "*": string } }>("/log/*", { compress: false }, async (request, reply) => {
    reply.header("access-control-allow-origin", "*");
    reply.header("cross-origin-resource-policy", "cross-origin");
    const path = request.params["*"];
    const bytes = await archive.read(path);
    if (!bytes) throw new ApiError("request.not_found");
    const isNote = path === "checkpoint" || path === "cosigned";
    return reply
      .header("cache-control", isNote ? "no-cache" : "public, max-age=31536000, immutable")
      .type(isNote ? "text/plain; charset=utf-8" : "application/octet-stream")
      .send(bytes);
  });
}

function logCalls(app: App, archive: ArchiveFile): void {
  const { head, checkpoint } = archive;
  route(app, getLogState, () => ({
    origin: checkpoint.origin,
    keys: head.keys.map((vkey) => ({ vkey, from_size: null })),
    size: checkpoint.size,
    root: bytesToHex(checkpoint.root),
    checkpoint: checkpoint.note,
    checkpoint_at_ms: checkpoint.atMs,
    pending: 0,
    witnesses: [],
    bytes_per_day: null,
    successions: head.successions,
  }));
  route(app, getAuditHead, ({ size }) => {
    if (size !== checkpoint.size) throw new ApiError("log.size_unknown");
    return { head: head.audit_head };
  });
  route(app, getPublication, async ({ publication }) => {
    const receipt = getPublication.answer.safeParse(await archive.publication(publication));
    if (!receipt.success) throw new ApiError("log.publication_unknown");
    return receipt.data;
  });
}

/** The calls that the app makes before it draws a screen. */
function frameCalls(app: App, { config, messages }: HttpContext, archive: ArchiveFile): void {
  const { world, seconds, head, checkpoint } = archive;
  const endMs = seconds?.lastMs ?? world.createdAtMs;
  route(
    app,
    getConfig,
    (_input, context): AnswerOf<typeof getConfig> => ({
      practice: true,
      backing: "none",
      chatLink: null,
      socket_url: getSocketUrl(context, config),
      world: {
        name: world.world,
        market: world.market,
        now_ms: endMs,
        first_second_ms: seconds?.firstMs ?? null,
        paused: true,
        pause: null,
        archive: { last_second_ms: endMs },
      },
      operator: config.operator,
      signed_in: false,
      terms: { version: termsVersion },
      coins: coinCodes.map((code) => ({ code, scale: coins[code].scale })),
      symbols: world.symbols
        .map(({ name }) => name)
        .filter(isSymbol)
        .map((name) => ({ name, ...symbols[name] })),
      contracts_on: false,
      log: { origin: checkpoint.origin, vkey: head.keys[0]! },
      home: { pool: null },
    }),
  );
  route(app, getTerms, (_input, { language }) => {
    const { version, title, paragraphs } = buildPracticeTerms(messages, language, config.operator);
    return { version, title, paragraphs };
  });
  route(app, getSeconds, () => ({ to_ms: endMs, day: null, month: null, day_leaf: head.day_leaf }));
  route(app, findNotice, () => ({ notice: null }));
}
