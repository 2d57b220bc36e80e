import type { PublishedLink } from "#api/publishing.ts";
import { chooseText, type LinkBody, type PostLanguage } from "#core/publishing/bodies.ts";
import { parseLink } from "#core/publishing/links.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { Publications } from "#server/publishing/publications.ts";

/** Currently published links to help and support, oldest first. */
export function createLinks(publications: Publications) {
  const readLink = async (
    kind: PublishedLink["kind"],
    language: PostLanguage,
  ): Promise<PublishedLink[]> => {
    const publishedLinks = await publications.live(`${kind}_link`);
    return publishedLinks
      .toReversed()
      .map(({ row, body }) => toLinkView(row.id, kind, body, language));
  };
  return {
    list: async (kind: PublishedLink["kind"] | null, language: PostLanguage) =>
      kind
        ? readLink(kind, language)
        : [...(await readLink("help", language)), ...(await readLink("support", language))],
    /** Returns true if a URL is that of a published support link. */
    isSupportUrl: async (url: string): Promise<boolean> =>
      (await publications.live("support_link")).some(({ body }) => body.url === url),
    /** The URL of a published support link; null if it is not, or no longer, published. */
    supportUrl: async (linkId: string, tx: Tx): Promise<string | null> =>
      (await publications.liveOne(tx, "support_link", linkId))?.url ?? null,
  };
}
export type Links = ReturnType<typeof createLinks>;

export function toLinkView(
  id: string,
  kind: PublishedLink["kind"],
  { url, languages }: LinkBody,
  language: PostLanguage,
): PublishedLink {
  const text = chooseText(languages, language);
  const result = parseLink(url);
  return {
    link_id: id,
    kind,
    language: text?.language ?? language,
    title: text?.text.title ?? "",
    url,
    host: result.ok ? result.host : "",
  };
}
