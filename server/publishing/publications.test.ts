import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Bodies } from "#api/operator/publishing.ts";
import type { NewsText } from "#core/publishing/bodies.ts";
import type { PublicationState } from "#core/publishing/change.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { createLinks } from "#server/publishing/links.ts";
import { createNews } from "#server/publishing/news.ts";
import { createNotices } from "#server/publishing/notices.ts";
import { createPublications, type Publications } from "#server/publishing/publications.ts";
import { createListings } from "#server/publishing/seededProducts.ts";
import { checkLink, checkNews, checkNotice } from "#server/publishing/texts.ts";
import type { DraftProblem } from "#server/publishing/types.ts";
import { catchErrorName } from "#server/testing/contracts.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

let ctx: TestContext;
let publications: Publications;
/** The arguments of a pool's `publish` calls, and how they end. */
let soldPools: Bodies["pool"][] = [];
let fault: DraftProblem[] = [];
let failures = 0;

/** As a process creates them at startup. */
function start(): Publications {
  const noProblems = { check: () => [] };
  return createPublications(ctx, {
    listings: createListings(ctx),
    kinds: {
      news: { check: checkNews },
      notice: { check: (body) => checkNotice(body, ctx.realClock.nowMs()) },
      support_link: { check: checkLink },
      help_link: { check: checkLink },
      pool: {
        check: () => fault,
        publish: async (_tx, body) => {
          soldPools.push(body);
          if (failures === 0) return;
          failures -= 1;
          throw new Error("the machine was switched off");
        },
      },
      contract_tiers: noProblems,
      machine: noProblems,
    },
  });
}

beforeAll(async () => {
  ctx = await createTestContext();
});
beforeEach(() => {
  [soldPools, fault, failures] = [[], [], 0];
  publications = start();
});
afterAll(() => ctx.destroy());

const change = <Result>(run: (tx: Tx) => Promise<Result>) =>
  ctx.database.db.transaction().execute(run);
const editBy = (revision: number, operator = "anna") => ({ revision, by: operator });
const text = (title: string): NewsText => ({ title, summary: "In short.", body: "At length." });
const news = (title: string): Bodies["news"] => ({ languages: { en: text(title) } });
const findPool = (poolId: string, minimum = "10"): Bodies["pool"] => ({
  pool_id: poolId,
  strategy: "hold",
  venues: ["east"],
  symbols: ["BTC/USDT"],
  minimum,
  maximum: "1000",
});
const save = (id: string, body: Bodies["news"], revision: number, operator?: string) =>
  change((tx) => publications.save(tx, "news", id, body, editBy(revision, operator)));
const schedule = (id: string, revision: number, atMs = 0) =>
  change((tx) => publications.schedule(tx, "news", id, atMs, editBy(revision)));
const titles = async () =>
  (await publications.live("news")).map(({ body }) => body.languages.en?.title);
/** A published post, at revision 3. */
async function publishPost(title: string): Promise<string> {
  const id = randomUUID();
  await save(id, news(title), 0);
  await schedule(id, 1);
  await publications.runDue();
  return id;
}

test("a former operator's scheduled publication becomes a draft again", async () => {
  const [annas, bens] = [randomUUID(), randomUUID()];
  const atMs = ctx.realClock.nowMs() + 60_000;
  for (const [id, operator] of [
    [annas, "anna"],
    [bens, "ben"],
  ] as const) {
    await save(id, news(operator), 0, operator);
    await change((tx) => publications.schedule(tx, "news", id, atMs, editBy(1, operator)));
  }
  const endedOperator = { operatorId: "anna", by: "ben" };
  expect(await change((tx) => publications.operatorEnded(tx, endedOperator))).toEqual([
    { what: "publishing.unscheduled", target: annas, details: { kind: "news" } },
  ]);
  ctx.realClock.advanceMs(60_000);
  await publications.runDue();
  expect(await titles()).toContain("ben");
  expect(await titles()).not.toContain("anna");
  expect(await publications.read("news", annas)).toMatchObject({
    revision: 3,
    version: 0,
    hasDraft: true,
    publishAtMs: null,
  });
  await change((tx) => publications.schedule(tx, "news", annas, 0, editBy(3, "ben")));
  await publications.runDue();
  expect(await titles()).toContain("anna");
});

test("a scheduled publication appears at its time and not before", async () => {
  const id = randomUUID();
  await save(id, news("On Friday"), 0);
  const atMs = ctx.realClock.nowMs() + 60_000;
  expect(await schedule(id, 1, atMs)).toMatchObject({ revision: 2, publishAtMs: atMs });
  ctx.realClock.advanceMs(59_000);
  await publications.runDue();
  expect(await titles()).not.toContain("On Friday");
  ctx.realClock.advanceMs(1_000);
  await publications.runDue();
  expect(await titles()).toContain("On Friday");
  expect(await publications.read("news", id)).toMatchObject({
    version: 1,
    hasDraft: false,
    publishAtMs: null,
    live: { publishedBy: "anna", publishedAtMs: atMs },
  });
});

test("of two concurrent saves one is refused and gets the other's draft", async () => {
  const id = randomUUID();
  await save(id, news("First"), 0);
  const results = await Promise.allSettled([
    save(id, news("Anna's"), 1, "anna"),
    save(id, news("Bo's"), 1, "bo"),
  ]);
  const rejectedSave = results.find(({ status }) => status === "rejected") as PromiseRejectedResult;
  const publicationRow = await publications.read("news", id);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(rejectedSave.reason.error).toBe("publishing.changed_meanwhile");
  expect(rejectedSave.reason.data).toMatchObject({
    revision: 2,
    changed_by: publicationRow.changedBy,
    current: publicationRow.draft,
  });
});

test("of concurrent changes to one revision exactly one is applied", async () => {
  const id = randomUUID();
  await save(id, news("Twice"), 0);
  const results = await Promise.allSettled([schedule(id, 1), schedule(id, 1)]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await Promise.all([publications.runDue(), start().runDue(), publications.runDue()]);
  expect((await publications.versions("news", id)).length).toBe(1);
  const ends = await Promise.allSettled([
    change((tx) => publications.unpublish(tx, "news", id, editBy(3))),
    change((tx) => publications.save(tx, "news", id, news("Thrice"), editBy(3))),
  ]);
  expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("an interrupted publication is published once after the restart", async () => {
  const id = randomUUID();
  await change((tx) => publications.save(tx, "pool", id, findPool("once"), editBy(0)));
  await change((tx) => publications.schedule(tx, "pool", id, 0, editBy(1)));
  failures = 1;
  await publications.runDue();
  expect((await publications.versions("pool", id)).length).toBe(0);
  publications = start();
  await publications.runDue();
  await publications.runDue();
  expect((await publications.versions("pool", id)).map(({ version }) => version)).toEqual([1]);
  // The selling domain is called again for the same publication, which must have no further effect.
  expect(soldPools).toEqual([findPool("once"), findPool("once")]);
});

test("a scheduled change that is no longer allowed becomes a draft again", async () => {
  const id = randomUUID();
  await change((tx) => publications.save(tx, "pool", id, findPool("late"), editBy(0)));
  await change((tx) => publications.schedule(tx, "pool", id, 0, editBy(1)));
  fault = [{ error: "publishing.pool_cannot_run", field: "", data: { fault: "venue_unknown" } }];
  await publications.runDue();
  const row = await publications.read("pool", id);
  expect(row).toMatchObject({ version: 0, hasDraft: true, publishAtMs: null });
  expect(JSON.parse(row.refused!)).toEqual(fault);
  expect(soldPools).toEqual([]);
});

test.each<[string, Bodies["news"], string]>([
  ["a promise", news("Guaranteed"), "publishing.promises_return"],
  ["a text without any language", { languages: {} }, "publishing.language_missing"],
  ["an empty title", { languages: { en: text(" ") } }, "publishing.text_missing"],
  ["121 characters", { languages: { de: text("a".repeat(121)) } }, "publishing.text_too_long"],
  ["an address", news("0x52908400098527886E0F7030069857D2E4169EE7"), "publishing.real_address"],
])("%s can be saved as a draft but not published", async (_title, body, error) => {
  const id = randomUUID();
  await save(id, body, 0);
  expect(await catchErrorName(schedule(id, 1))).toBe(error);
  expect(await publications.read("news", id)).toMatchObject({ revision: 1, publishAtMs: null });
});

test("a product has exactly one publication", async () => {
  const [id, otherId] = [randomUUID(), randomUUID()];
  const begin = (subject: string) =>
    change((tx) => publications.save(tx, "pool", subject, findPool("only"), editBy(0)));
  await begin(id);
  expect(await catchErrorName(begin(otherId))).toBe("publishing.subject_taken");
  expect(
    await catchErrorName(
      change((tx) => publications.save(tx, "pool", id, findPool("another"), editBy(1))),
    ),
  ).toBe("publishing.subject_fixed");
});

test("the software no longer updates a seeded product that an operator published", async () => {
  const publish = async () => "published" as const;
  expect(await publications.ifNotOverridden("pool", "seeded", publish)).toBe("published");
  expect(await publications.recordSeeded("pool", findPool("seeded"))).toBe(true);
  expect(await publications.recordSeeded("pool", findPool("seeded"))).toBe(false);
  expect(await publications.recordSeeded("pool", findPool("seeded", "20"))).toBe(true);
  const [row] = (await publications.live("pool"))
    .map((liveItem) => liveItem.row)
    .filter((publicationRow) => publicationRow.subject === "seeded");
  expect(row).toMatchObject({ version: 2, changedBy: "software" });
  const { id } = row!;
  await change((tx) =>
    publications.save(tx, "pool", id, findPool("seeded", "30"), editBy(row!.revision)),
  );
  // The software's own publications do not touch the draft.
  expect(await publications.recordSeeded("pool", findPool("seeded", "25"))).toBe(true);
  const ownRow = await publications.read("pool", id);
  expect(ownRow).toMatchObject({
    version: 3,
    changedBy: "anna",
    draft: JSON.stringify(findPool("seeded", "30")),
  });
  await change((tx) => publications.schedule(tx, "pool", id, 0, editBy(ownRow.revision)));
  await publications.runDue();
  expect(await publications.ifNotOverridden("pool", "seeded", publish)).toBeNull();
  expect(await publications.recordSeeded("pool", findPool("seeded"))).toBe(false);
  const last = await publications.read("pool", id);
  await change((tx) => publications.unpublish(tx, "pool", id, editBy(last.revision)));
  ctx.realClock.advanceMs(2_000);
  expect(await publications.isListed("pool", "seeded")).toBe(false);
});

test("an unpublished post is hidden and can be published again unchanged", async () => {
  const id = await publishPost("Here");
  const withdrawn = await change((tx) => publications.unpublish(tx, "news", id, editBy(3)));
  ctx.realClock.advanceMs(2_000);
  expect(await titles()).not.toContain("Here");
  await schedule(id, withdrawn.revision);
  await publications.runDue();
  expect(await titles()).toContain("Here");
  expect((await publications.versions("news", id)).map(({ version }) => version)).toEqual([2, 1]);
});

test("a reader gets their language, else English, else the first, with its name", async () => {
  const [bilingual, japanese] = [randomUUID(), randomUUID()];
  await save(bilingual, { languages: { de: text("Deutsch"), en: text("English") } }, 0);
  await save(japanese, { languages: { ja: text("日本語") } }, 0);
  await schedule(bilingual, 1);
  await schedule(japanese, 1);
  await publications.runDue();
  const news = createNews(ctx, publications);
  const readAs = async (id: string, language: "de" | "fr") => {
    const post = await news.read({ userId: null, language }, id);
    return [post.title, post.language, post.read];
  };
  expect(await readAs(bilingual, "de")).toEqual(["Deutsch", "de", null]);
  expect(await readAs(bilingual, "fr")).toEqual(["English", "en", null]);
  expect(await readAs(japanese, "fr")).toEqual(["日本語", "ja", null]);
});

test("a read mark is per person, exported and erased", async () => {
  const [id, user] = [await publishPost("Read me"), randomUUID()];
  const news = createNews(ctx, publications);
  await news.mark(user, [id, id, "nonsense", randomUUID()]);
  await news.mark(user, [id]);
  const getRead = async (userId: string) => (await news.read({ userId, language: "en" }, id)).read;
  expect([await getRead(user), await getRead(randomUUID())]).toEqual([true, false]);
  expect(await news.exportFor(user)).toEqual({ json: { news_read: [id] } });
  await news.erase(user);
  await news.erase(user);
  expect(await getRead(user)).toBe(false);
});

test("pages stay stable while a new post arrives", async () => {
  for (const title of ["P1", "P2", "P3"]) {
    ctx.realClock.advanceMs(1_000);
    await publishPost(title);
  }
  const news = createNews(ctx, publications);
  const page = async (before: bigint | null, skip: number) =>
    news.list({ userId: null, language: "en" }, { before, skip, take: 2 });
  const first = await page(null, 0);
  expect(first.items.map(({ title }) => title)).toEqual(["P3", "P2"]);
  ctx.realClock.advanceMs(1_000);
  await publishPost("P4");
  const second = await page(first.before, 2);
  expect(second.items[0]?.title).toBe("P1");
});

test("the newest due notice of each type is shown", async () => {
  const nowMs = ctx.realClock.nowMs();
  const notices = createNotices(ctx, publications);
  const publishNotice = async (body: Partial<Bodies["notice"]>, words: string) => {
    const id = randomUUID();
    const wholeNotice: Bodies["notice"] = {
      type: "bar",
      severity: "plain",
      from_ms: null,
      until_ms: null,
      languages: { en: { title: "", text: words } },
      ...body,
    };
    await change((tx) => publications.save(tx, "notice", id, wholeNotice, editBy(0)));
    await change((tx) => publications.schedule(tx, "notice", id, 0, editBy(1)));
    await publications.runDue();
    ctx.realClock.advanceMs(1_000);
  };
  await publishNotice({}, "Always");
  await publishNotice({ until_ms: nowMs + 60_000 }, "For a minute");
  await publishNotice({ from_ms: nowMs + 90_000 }, "Later");
  const findBar = async () => (await notices.find("bar", "de"))?.text;
  expect([await findBar(), await notices.find("dialog", "en")]).toEqual(["For a minute", null]);
  ctx.realClock.setMs(nowMs + 60_000);
  expect(await findBar()).toBe("Always");
  ctx.realClock.setMs(nowMs + 90_000);
  expect(await findBar()).toBe("Later");
});

test.each<[string, Partial<Bodies["notice"]>, string]>([
  [
    "ends before it starts",
    { from_ms: Number.MAX_SAFE_INTEGER, until_ms: 10 },
    "publishing.period_wrong",
  ],
  [
    "asks for money",
    { languages: { en: { title: "", text: "An activation fee is due" } } },
    "publishing.asks_payment",
  ],
  ["is a dialog without a title", { type: "dialog" }, "publishing.text_missing"],
])("a notice that %s is refused", (_title, body, error) => {
  const wholeNotice: Bodies["notice"] = {
    type: "bar",
    severity: "plain",
    from_ms: null,
    until_ms: null,
    languages: { en: { title: "", text: "Fine" } },
    ...body,
  };
  expect(checkNotice(wholeNotice, 0).map((draftProblem) => draftProblem.error)).toEqual([error]);
});

test("a support link leads to a page, not a messenger, and must be published", async () => {
  const id = randomUUID();
  const link = (url: string): Bodies["support_link"] => ({
    url,
    languages: { en: { title: "Desk" } },
  });
  await change((tx) =>
    publications.save(tx, "support_link", id, link("https://t.me/desk"), editBy(0)),
  );
  const publish = (revision: number) =>
    change((tx) => publications.schedule(tx, "support_link", id, 0, editBy(revision)));
  expect(await catchErrorName(publish(1))).toBe("publishing.messenger");
  const links = createLinks(publications);
  expect(await change((tx) => links.supportUrl(id, tx))).toBeNull();
  const validLink = link("https://desk.example.org/help");
  await change((tx) => publications.save(tx, "support_link", id, validLink, editBy(1)));
  await publish(2);
  await publications.runDue();
  expect(await change((tx) => links.supportUrl(id, tx))).toBe(validLink.url);
  expect(await links.list(null, "de")).toEqual([
    {
      link_id: id,
      kind: "support",
      language: "en",
      title: "Desk",
      url: validLink.url,
      host: "desk.example.org",
    },
  ]);
});

test("a list filtered by state holds only publications in that state", async () => {
  const draft = randomUUID();
  const scheduledId = randomUUID();
  await save(draft, news("Only a draft"), 0);
  await save(scheduledId, news("Planned"), 0);
  await schedule(scheduledId, 1, ctx.realClock.nowMs() + 60_000);
  const publishedId = await publishPost("Out");
  await save(publishedId, news("Out, with a newer draft"), 3);
  const withdrawn = await publishPost("Gone again");
  await change((tx) => publications.unpublish(tx, "news", withdrawn, editBy(3)));
  const getIds = async (state: PublicationState | null) =>
    (await publications.list("news", { state, before: null, skip: 0, take: 100 })).map(
      ({ id }) => id,
    );
  const ids = [draft, scheduledId, publishedId, withdrawn];
  for (const [state, id] of [
    ["draft", draft],
    ["scheduled", scheduledId],
    ["published", publishedId],
    ["withdrawn", withdrawn],
  ] as const) {
    expect((await getIds(state)).filter((id) => ids.includes(id))).toEqual([id]);
  }
  expect(await getIds(null)).toEqual(expect.arrayContaining(ids));
});
