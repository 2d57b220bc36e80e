import type { AnswerOf, InputOf } from "#api/call.ts";
import { type Bodies, type KindCalls, type Preview, publishing } from "#api/operator/publishing.ts";
import { isUuid } from "#core/ledger/uuid.ts";
import type { Kind, PostLanguage } from "#core/publishing/bodies.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { App } from "#server/platform/http/context.ts";
import { type OperatorContext, operatorRoute } from "#server/platform/http/operatorRoute.ts";
import { toPage, toSlice } from "#server/platform/http/pagination.ts";
import { toLinkView } from "#server/publishing/links.ts";
import { toNewsView } from "#server/publishing/news.ts";
import { toNoticeView } from "#server/publishing/notices.ts";
import type { Publications } from "#server/publishing/publications.ts";
import type { PublicationRow } from "#server/publishing/types.ts";
import { getBody, toHeadView, toLineView, toProblemView } from "#server/publishing/views.ts";

// The calls of all kinds have the same shape except for the body, which the service takes as is.
type Calls = KindCalls;
type PublicationAnswer = AnswerOf<Calls["save"]>;

function requireUuid(id: string): string {
  if (!isUuid(id)) throw new ApiError("publishing.unknown");
  return id;
}

/** Mounts every call of `api/operator/publishing.ts`. */
export function publishingRoutes(app: App, publications: Publications): void {
  for (const [kind, calls] of Object.entries(publishing)) {
    mountReading(app, publications, kind as Kind, calls);
    mountChanges(app, publications, kind as Kind, calls);
  }
}

async function fullView(
  app: App,
  publications: Publications,
  row: PublicationRow,
  language: PostLanguage,
  tx?: Tx,
): Promise<PublicationAnswer> {
  const { messages } = app.platform;
  const problems = await publications.check(row.kind, getBody(row), tx);
  return {
    ...toHeadView(row, messages, language),
    draft: row.draft === null ? null : JSON.parse(row.draft),
    published: row.live === null ? null : JSON.parse(row.live.body),
    problems: problems.map((problem) => toProblemView(messages, language, problem)),
  };
}

function mountReading(app: App, publications: Publications, kind: Kind, calls: Calls): void {
  const { messages } = app.platform;
  operatorRoute(app, calls.list, async (query, { language }) => {
    const { upToSeq, limit, offset } = toSlice(query);
    const rows = await publications.list(kind, {
      state: query.state ?? null,
      before: upToSeq,
      skip: offset,
      take: limit,
    });
    const lines = rows.map((row) => toLineView(row, messages, language));
    return toPage(query, lines, rows[0]?.seq ?? null);
  });
  operatorRoute(app, calls.read, async ({ id }, { language }) =>
    fullView(app, publications, await publications.read(kind, requireUuid(id)), language),
  );
  operatorRoute(app, calls.versions, async ({ id }) => ({
    items: (await publications.versions(kind, requireUuid(id))).map((version) => ({
      version: version.version,
      body: JSON.parse(version.body),
      published_at_ms: version.publishedAtMs,
      published_by: version.publishedBy,
    })),
  }));
  operatorRoute(app, calls.preview, async ({ body, language: previewLanguage }, { language }) => {
    const problems = await publications.check(kind, body);
    return {
      ...toReaderView(kind, body, previewLanguage, app.platform.ctx.realClock.nowMs()),
      figures: await publications.figures(kind, body),
      problems: problems.map((problem) => toProblemView(messages, language, problem)),
    };
  });
}

/** A body as a reader of a language would get it, as if published now. */
function toReaderView(
  kind: Kind,
  body: Bodies[Kind],
  language: PostLanguage,
  nowMs: number,
): Pick<Preview, "news" | "notice" | "link"> {
  const id = "preview";
  const nothing = { news: null, notice: null, link: null };
  const live = { version: 1, body: "", publishedAtMs: nowMs, publishedBy: "operator", leaf: null };
  switch (kind) {
    case "news": {
      const row = { id, firstPublishedAtMs: nowMs, live };
      return { ...nothing, news: toNewsView(row, body as Bodies["news"], language, null) };
    }
    case "notice":
      return { ...nothing, notice: toNoticeView(id, 1, body as Bodies["notice"], language) };
    case "help_link":
    case "support_link": {
      const list = kind === "help_link" ? "help" : "support";
      return { ...nothing, link: toLinkView(id, list, body as Bodies["help_link"], language) };
    }
    default:
      return nothing;
  }
}

function mountChanges(app: App, publications: Publications, kind: Kind, calls: Calls): void {
  const answer = (row: PublicationRow, { language, tx }: OperatorContext) =>
    fullView(app, publications, row, language, tx);
  const madeBy = ({ operator }: OperatorContext, revision: number) => ({
    revision,
    by: operator.operatorId,
  });
  operatorRoute(
    app,
    calls.save,
    async ({ id, revision, body }: InputOf<Calls["save"]>, context) => {
      const result = madeBy(context, revision);
      const row = await publications.save(context.tx, kind, requireUuid(id), body, result);
      context.audit({
        what: "publishing.saved",
        target: id,
        details: { kind, revision: row.revision },
      });
      return answer(row, context);
    },
  );
  operatorRoute(app, calls.publish, async ({ id, revision, at_ms: atMs }, context) => {
    const result = madeBy(context, revision);
    const realMs = atMs ?? app.platform.ctx.realClock.nowMs();
    const row = await publications.schedule(context.tx, kind, requireUuid(id), realMs, result);
    context.audit({
      what: "publishing.scheduled",
      target: id,
      details: { kind, revision: row.revision, at_ms: row.publishAtMs },
    });
    return answer(row, context);
  });
  operatorRoute(app, calls.unschedule, async ({ id, revision }, context) => {
    const result = madeBy(context, revision);
    const row = await publications.unschedule(context.tx, kind, requireUuid(id), result);
    context.audit({ what: "publishing.unscheduled", target: id, details: { kind } });
    return answer(row, context);
  });
  operatorRoute(app, calls.discard, async ({ id, revision }, context) => {
    const result = madeBy(context, revision);
    const row = await publications.discard(context.tx, kind, requireUuid(id), result);
    context.audit({ what: "publishing.discarded", target: id, details: { kind } });
    return { publication: row && (await answer(row, context)) };
  });
  operatorRoute(app, calls.withdraw, async ({ id, revision }, context) => {
    const result = madeBy(context, revision);
    const row = await publications.unpublish(context.tx, kind, requireUuid(id), result);
    context.audit({
      what: "publishing.withdrawn",
      target: id,
      details: { kind, version: row.version },
    });
    return answer(row, context);
  });
}
