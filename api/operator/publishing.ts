import * as z from "zod/mini";
import { type Call, defineCall } from "#api/call.ts";
import { tierTerms } from "#api/contracts.ts";
import type { ErrorName } from "#api/errors.ts";
import { newsPost, notice, postLanguage, publishedLink } from "#api/publishing.ts";
import { decimal, id, pageSchema, paging, timeMs } from "#api/shapes.ts";
import { type Locale, locales } from "#core/locales.ts";
import type { Permission } from "#core/operator/permissions.ts";
import {
  type Kind,
  kindNames,
  type LinkBody,
  type MachineBody,
  type NewsBody,
  type NoticeBody,
  noticeSeverities,
  noticeTypes,
  type PoolBody,
} from "#core/publishing/bodies.ts";

/**
 * Everything that operators publish. Seven kinds, each with the same calls under
 * `/api/operator/publishing/<kind>/`; only the body differs. A change names the `revision` it was
 * based on: `publishing.changed_meanwhile` carries the current state (`current`, JSON).
 */

/** A draft may hold texts longer than allowed; publishing them is refused. */
const draftText = (maximum: number) => z.string().check(z.maxLength(maximum * 2));
const byLanguage = <Text extends z.ZodMiniType>(text: Text) => {
  const fields = locales.map((locale) => [locale, z.optional(text)]);
  return z.object(Object.fromEntries(fields) as Record<Locale, z.ZodMiniOptional<Text>>);
};

/**
 * Markdown without HTML or pictures, at most 4 000 characters; title 120, summary 280. The whole
 * request at most 64 KB.
 */
const newsBody = z.object({
  languages: byLanguage(
    z.object({ title: draftText(120), summary: draftText(280), body: draftText(4_000) }),
  ),
});

/**
 * A bar has no title. Title 80 characters, text 280. `from_ms` and `until_ms` are real time; null
 * means immediately and until unpublished.
 */
const noticeBody = z.object({
  type: z.enum(noticeTypes),
  severity: z.enum(noticeSeverities),
  from_ms: z.nullable(timeMs),
  until_ms: z.nullable(timeMs),
  languages: byLanguage(z.object({ title: draftText(80), text: draftText(280) })),
});

/**
 * An https address with a host name; no messenger (core/publishing/links.ts lists them), no payment
 * service. Title 80 characters.
 */
const linkBody = z.object({
  url: draftText(500),
  languages: byLanguage(z.object({ title: draftText(80) })),
});

/** The terms of one contract. Stakes are decimal pUSDT. */
const tiersBody = z.object({
  symbol: z.string().check(z.maxLength(20)),
  tiers: z.array(tierTerms).check(z.maxLength(20)),
});

/**
 * The house always seeds a new pool with 100 000 pUSDT; this cannot be configured. Amounts are
 * decimal pUSDT.
 */
const poolBody = z.object({
  pool_id: z.string().check(z.maxLength(64)),
  strategy: z.enum(["cross", "triangle", "hold"]),
  venues: z.array(z.string().check(z.maxLength(64))).check(z.maxLength(60)),
  symbols: z.array(z.string().check(z.maxLength(20))).check(z.maxLength(3)),
  minimum: decimal,
  maximum: decimal,
});

/** Hashrate in decimal TH/s, prices in decimal pUSDT. */
const machineBody = z.object({
  product_id: z.string().check(z.maxLength(64)),
  maker: z.string().check(z.maxLength(200)),
  model: z.string().check(z.maxLength(200)),
  /** Where the maker's figures are published. */
  source: z.string().check(z.maxLength(200)),
  hashrate_ths: decimal,
  power_w: z.int(),
  price_per_day: decimal,
  electricity_per_kwh: decimal,
  stock: z.int(),
  quantity_max: z.int(),
  days_min: z.int(),
  days_max: z.int(),
});

/**
 * Why a body cannot be published, in the language of the request. `at` is the location in the body;
 * empty for the whole.
 */
const problem = z.object({
  error: z.string(),
  at: z.string(),
  message: z.string(),
});
export type PublishingProblem = z.infer<typeof problem>;

const publicationState = z.enum(["draft", "scheduled", "published", "withdrawn"]);

const head = {
  id,
  kind: z.enum(kindNames),
  /**
   * The subject that the publication is unique for: a symbol, a pool, a machine; null for texts.
   */
  subject: z.nullable(z.string()),
  /** One that is live with a newer draft is `published`, until that draft is scheduled. */
  state: publicationState,
  revision: z.int(),
  /** True if a version is visible to people now. */
  live: z.boolean(),
  has_draft: z.boolean(),
  /** Versions published so far. */
  version: z.int(),
  /** Real time. */
  publish_at_ms: z.nullable(timeMs),
  published_at_ms: z.nullable(timeMs),
  changed_at_ms: timeMs,
  /** Opaque id of an operator, or `software`. */
  changed_by: z.string(),
  published_by: z.nullable(z.string()),
  /** Why it was not published when its time came; empty otherwise. */
  refused: z.array(problem),
};

/** A row of the list; its title is in the language of the request, or the next one available. */
const line = z.object({ ...head, title: z.string() });
export type PublicationLine = z.infer<typeof line>;

const figureNames = [
  "break_even",
  "coin_flip_return",
  "average_cost",
  "machine_payout",
  "machine_worth",
  "machine_power",
  "machine_cost",
  "pool_legs",
  "pool_cycle_cost",
] as const;

/**
 * The content as people would see it, in one language; `figures` are a product's key figures:
 * percent, per 100 staked, pUSDT a day.
 */
const preview = z.object({
  problems: z.array(problem),
  news: z.nullable(newsPost),
  notice: z.nullable(notice),
  link: z.nullable(publishedLink),
  figures: z.array(z.object({ name: z.enum(figureNames), at: z.string(), value: z.string() })),
});
export type Preview = z.infer<typeof preview>;

const draftKey = { id, revision: z.int().check(z.minimum(0)) };
const changeErrors = [
  "publishing.unknown",
  "publishing.changed_meanwhile",
] as const satisfies ErrorName[];
/** Every reason for which publishing a body can be refused. */
export const problemNames = [
  "publishing.text_missing",
  "publishing.text_too_long",
  "publishing.language_missing",
  "publishing.promises_return",
  "publishing.asks_payment",
  "publishing.coin_unmarked",
  "publishing.real_address",
  "publishing.link_not_https",
  "publishing.messenger",
  "publishing.payment_link",
  "publishing.period_wrong",
  "publishing.symbol_unknown",
  "publishing.no_tiers",
  "publishing.tier_repeated",
  "publishing.tier_malformed",
  "publishing.coin_flip_flatters",
  "publishing.coin_flip_robs",
  "publishing.amount_wrong",
  "publishing.pool_cannot_run",
  "publishing.machine_malformed",
  "publishing.machine_flatters",
  "publishing.machine_pays_nothing",
  "publishing.no_price",
] as const satisfies ErrorName[];

/** The publishable kinds: the body on the wire, in a draft and in a version. */
export interface Bodies {
  news: NewsBody;
  notice: NoticeBody;
  help_link: LinkBody;
  support_link: LinkBody;
  contract_tiers: z.infer<typeof tiersBody>;
  pool: PoolBody;
  machine: MachineBody;
}

function callsFor<Body extends z.ZodMiniType>(kind: Kind, permission: Permission, body: Body) {
  const path = <Name extends string>(name: Name) =>
    `/api/operator/publishing/${kind}/${name}` as const;
  const operator = { access: "operator", permission } as const;
  const publication = z.object({
    ...head,
    draft: z.nullable(body),
    published: z.nullable(body),
    /**
     * The problems that currently prevent publishing the draft or, without a draft, the published
     * version.
     */
    problems: z.array(problem),
  });
  return {
    list: defineCall({
      ...operator,
      method: "GET",
      path: path("list"),
      summary: `Operator: publications of kind ${kind}, newest first, all or those of one state`,
      input: z.object({ ...paging, state: z.optional(publicationState) }),
      answer: pageSchema(line),
      errors: [],
    }),
    read: defineCall({
      ...operator,
      method: "GET",
      path: path("read"),
      summary: `Operator: one publication of kind ${kind}, with its draft and the problems that prevent publishing it`,
      input: z.object({ id }),
      answer: publication,
      errors: ["publishing.unknown"],
    }),
    versions: defineCall({
      ...operator,
      method: "GET",
      path: path("versions"),
      summary: `Operator: every version of a publication of kind ${kind}, newest first, at most 200`,
      input: z.object({ id }),
      answer: z.object({
        items: z.array(
          z.object({ version: z.int(), body, published_at_ms: timeMs, published_by: z.string() }),
        ),
      }),
      errors: ["publishing.unknown"],
    }),
    preview: defineCall({
      ...operator,
      changes: false,
      method: "POST",
      path: path("preview"),
      summary: `Operator: what people would see of a ${kind}, in any language, and the problems that prevent publishing it`,
      input: z.object({ body, language: postLanguage }),
      answer: preview,
      errors: [],
    }),
    save: defineCall({
      ...operator,
      method: "POST",
      path: path("save"),
      summary: `Operator: save a draft of kind ${kind}; \`id\` is a UUID generated by the client, revision 0 creates a new one`,
      input: z.object({ ...draftKey, body }),
      answer: publication,
      errors: [...changeErrors, "publishing.subject_taken", "publishing.subject_fixed"],
    }),
    publish: defineCall({
      ...operator,
      method: "POST",
      path: path("publish"),
      summary: `Operator: publish a draft of kind ${kind} at a real time (null: now); the job publishes it within two seconds`,
      input: z.object({ ...draftKey, at_ms: z.nullable(timeMs) }),
      answer: publication,
      errors: [
        ...changeErrors,
        "publishing.nothing_to_publish",
        "publishing.too_far_ahead",
        ...problemNames,
      ],
    }),
    unschedule: defineCall({
      ...operator,
      method: "POST",
      path: path("unschedule"),
      summary: `Operator: cancel the schedule of a ${kind}`,
      input: z.object(draftKey),
      answer: publication,
      errors: [...changeErrors, "publishing.not_scheduled"],
    }),
    discard: defineCall({
      ...operator,
      method: "POST",
      path: path("discard"),
      summary: `Operator: discard the draft of a ${kind}; one that was never published is deleted (null)`,
      input: z.object(draftKey),
      answer: z.object({ publication: z.nullable(publication) }),
      errors: [...changeErrors, "publishing.nothing_to_discard"],
    }),
    withdraw: defineCall({
      ...operator,
      method: "POST",
      path: path("withdraw"),
      summary: `Operator: unpublish a ${kind}; what is already running keeps the terms it began with`,
      input: z.object(draftKey),
      answer: publication,
      errors: [...changeErrors, "publishing.not_published"],
    }),
  };
}

/** The calls of any kind, for code that treats all kinds alike: the body's type is left open. */
export type KindCalls = ReturnType<typeof callsFor<z.ZodMiniType<Bodies[Kind]>>>;

/** By kind, such as `publishing.news.save`. */
export const publishing = {
  news: callsFor("news", "publish.news", newsBody),
  notice: callsFor("notice", "publish.notices", noticeBody),
  help_link: callsFor("help_link", "publish.links", linkBody),
  support_link: callsFor("support_link", "publish.links", linkBody),
  contract_tiers: callsFor("contract_tiers", "publish.contracts", tiersBody),
  pool: callsFor("pool", "publish.pools", poolBody),
  machine: callsFor("machine", "publish.machines", machineBody),
} satisfies Record<Kind, unknown>;

export const calls: Readonly<Record<string, Call>> = Object.fromEntries(
  Object.entries(publishing).flatMap(([kind, kindCalls]) =>
    Object.entries(kindCalls).map(([name, call]) => [`${kind}.${name}`, call]),
  ),
);
