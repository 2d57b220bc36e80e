import type { Locale } from "#core/locales.ts";
import { localeTags } from "#i18n/locales.ts";
import { type ArchiveFile, writeArchive } from "#server/account/archive.ts";
import { toJson } from "#server/account/json.ts";
import type { PersonalData } from "#server/account/personalData.ts";
import { writePostings } from "#server/ledger/personPostings.ts";
import type { AppContext } from "#server/platform/context.ts";

type ExportContext = Pick<AppContext, "database" | "world" | "realClock" | "config" | "messages">;

/** Exports everything held about a person as one archive (docs/rules/personal-data.md). */
export function exportPerson(
  ctx: ExportContext,
  personalData: readonly PersonalData[],
  userId: string,
  language: Locale,
): AsyncGenerator<Uint8Array> {
  return writeArchive(listFiles(ctx, personalData, userId, language), ctx.realClock.nowMs());
}

async function* listFiles(
  ctx: ExportContext,
  personalData: readonly PersonalData[],
  userId: string,
  language: Locale,
): AsyncGenerator<ArchiveFile> {
  const { world, database, realClock } = ctx;
  const about = {
    format: "drydock.export.person/1",
    practice: true,
    backing: "none",
    world: world.name,
    user_id: userId,
    made_at_ms: realClock.nowMs(),
  };
  yield { name: "README.txt", parts: [readme(ctx, personalData, about, language)] };
  yield { name: "about.json", parts: [`${toJson(about, 2)}\n`] };
  yield {
    name: "postings.csv",
    parts: writePostings(database.db, world.name, userId),
  };
  for (const item of personalData) yield* filesOfOne(item, about);
}

async function* filesOfOne(
  { name, exportFor, lists, blobs }: PersonalData,
  about: { user_id: string },
): AsyncGenerator<ArchiveFile> {
  const { json, files } = await exportFor(about.user_id);
  yield { name: `${name}.json`, parts: [`${toJson({ ...about, data: json }, 2)}\n`] };
  for (const { name: file, bytes } of files) yield { name: `${name}/${file}`, parts: [bytes] };
  for await (const { name: file, bytes } of blobs(about.user_id)) {
    yield { name: `${name}/${file}`, parts: [bytes] };
  }
  for (const [list, readChunks] of Object.entries(lists)) {
    yield { name: `${name}/${list}.json`, parts: writeList(about, readChunks(about.user_id)) };
  }
}

async function* writeList(
  about: object,
  portions: AsyncIterable<readonly object[]>,
): AsyncGenerator<string> {
  yield `${toJson(about).slice(0, -1)},"rows":[`;
  let first = true;
  for await (const rows of portions) {
    if (rows.length === 0) continue;
    yield `${first ? "\n" : ",\n"}${rows.map((row) => toJson(row)).join(",\n")}`;
    first = false;
  }
  yield "\n]}\n";
}

/** Describes each file, in the person's language. */
function readme(
  { messages, config }: ExportContext,
  personalData: readonly PersonalData[],
  about: { world: string; made_at_ms: number },
  language: Locale,
): string {
  const translate = (key: string, values = {}) =>
    messages.format(language, `archive.${key}`, values);
  const time = new Intl.DateTimeFormat(localeTags[language], {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(about.made_at_ms);
  const { name: operator, contact } = config.operator;
  const lines = personalData.flatMap(({ name }) => [
    `${name}.json`,
    `  ${translate(`file.${name}`)}`,
    "",
  ]);
  return [
    translate("title"),
    "",
    translate("made", { world: about.world, time }),
    translate("practice"),
    ...(operator ? [translate("operator", { operator, contact: contact ?? "" })] : []),
    "",
    translate("amounts"),
    translate("times"),
    translate("lists"),
    "",
    "README.txt",
    `  ${translate("file.readme")}`,
    "",
    "about.json",
    `  ${translate("file.about")}`,
    "",
    "postings.csv",
    `  ${translate("file.postings")}`,
    "",
    ...lines,
    translate("not_here"),
    "",
  ].join("\n");
}
