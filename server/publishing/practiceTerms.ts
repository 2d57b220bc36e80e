import { locales } from "#core/locales.ts";
import { publishedTextHash } from "#core/operator/commitment.ts";
import type { AppContext } from "#server/platform/context.ts";
import { buildPracticeTerms, termsVersion } from "#server/platform/terms.ts";
import { lockProducts } from "#server/publishing/seededProducts.ts";
import { readPublished, recordPublished } from "#server/transparency-log/auditChain.ts";

/** The publication under which the log names the practice terms. */
const practiceTermsId = "practice-terms";
const kind = "practice_terms";

/**
 * Records the practice terms that people are asked to accept, in every language, unless the log says
 * that these are already shown. They change with the software and with who runs the instance.
 */
export async function recordPracticeTerms(
  ctx: Pick<AppContext, "config" | "database" | "messages" | "realClock" | "world">,
): Promise<void> {
  const { database, config, messages, realClock, world } = ctx;
  const texts = locales.map((language) => {
    const { text } = buildPracticeTerms(messages, language, config.operator);
    return [language, { text }] as const;
  });
  const body = { version: termsVersion, languages: Object.fromEntries(texts) };
  await database.db.transaction().execute(async (tx) => {
    await lockProducts(ctx, tx);
    const newest = await readPublished(tx, practiceTermsId);
    if (newest?.record.text === publishedTextHash(world.name, kind, body)) return;
    const version = (newest?.record.version ?? 0) + 1;
    const publishedText = { publication: practiceTermsId, kind, subject: null, version, body };
    await recordPublished(tx, world.name, publishedText, realClock.nowMs());
  });
}
