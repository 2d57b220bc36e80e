import type { IncomingMessage } from "node:http";
import { localeTags } from "#i18n/locales.ts";
import { getBrowserLanguage, type Messages } from "#server/platform/http/language.ts";
import type { ArchivedPublication, ArchiveFile } from "#server/transparency-log/archiveFile.ts";
import { escapeHtml, renderPlainPage } from "./plainPage.ts";

/**
 * Renders the contents of an archive as a page: its world, how to check it, and the published
 * texts.
 */
export function renderArchivePage(
  archive: ArchiveFile,
  request: IncomingMessage,
  messages: Messages,
): string {
  const { world, head, seconds, publications } = archive;
  const language = getBrowserLanguage(request.headers);
  const say = (key: string, values?: Record<string, string>) =>
    escapeHtml(messages.format(language, `archived-world.${key}`, values));
  const date = (atMs: number) =>
    new Intl.DateTimeFormat(localeTags[language], {
      dateStyle: "long",
      timeStyle: "short",
      timeZone: "UTC",
    }).format(atMs);
  const title = say("title", { world: world.world });
  const texts = publications.map((publication) => renderText(publication, language, date));
  const body = `<h1>${title}</h1>
<p>${say("text", { date: `${date(seconds?.lastMs ?? world.createdAtMs)} UTC` })}</p>
<p>${escapeHtml(messages.format(language, "archive.practice"))}</p>
<p><a class="go" href="/verify?part=log">${say("log")}</a></p>
<p><a href="/verify?part=price">${say("price")}</a></p>
<p><a href="/verify">${say("receipt")}</a></p>
<dl><dt>${say("key")}</dt><dd>${escapeHtml(head.keys[0]!)}</dd></dl>
<p>${say("keyNote")}</p>
<h2>${say("texts")}</h2>
${texts.length === 0 ? `<p>${say("textsNone")}</p>` : texts.join("\n")}`;
  return renderPlainPage({ language, title, body });
}

/** Renders a text as published, under its title or else its kind and version. */
function renderText(
  { publication, kind, body, published_at_ms: atMs }: ArchivedPublication,
  language: string,
  date: (atMs: number) => string,
): string {
  const title = findTitle(body, language) ?? `${kind} ${publication}`;
  return `<details><summary>${escapeHtml(title)}</summary>
<p>${escapeHtml(kind)} · ${escapeHtml(date(atMs))} UTC</p>
<pre>${escapeHtml(JSON.stringify(body, null, 1))}</pre></details>`;
}

function findTitle(body: unknown, language: string): string | null {
  const languages = readMember(body, "languages");
  const title = readMember(readMember(languages, language) ?? readMember(languages, "en"), "title");
  return typeof title === "string" && title !== "" ? title : null;
}

function readMember(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
