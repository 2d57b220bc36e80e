import type { Translate } from "#i18n/useText.ts";
import { articles, paragraphNames } from "#web/screens/help/articles/articles.ts";
import { flags, flagTextNames } from "#web/screens/help/flags/flags.ts";
import {
  buildArticlePath,
  buildFlagPath,
  buildPromisePath,
  promiseNumbers,
} from "#web/screens/help/views.ts";
import type { Entry } from "./match.ts";

const pages: readonly { title: string; to: string; texts: readonly string[] }[] = [
  {
    title: "help.view.withdrawals",
    to: "/help?view=withdrawals",
    texts: [
      "help.withdraw.text",
      "withdraw.standard.1",
      "withdraw.standard.2",
      "withdraw.standard.3",
      "withdraw.standard.4",
      "withdraw.standard.5",
      "withdraw.standard.6",
      "withdraw.standard.7",
    ],
  },
  {
    title: "help.view.caught",
    to: "/help?view=caught",
    texts: [
      "safety.caught.intro",
      "safety.caught.first.1",
      "safety.caught.first.3",
      "safety.caught.first.4",
      "safety.caught.keep",
      "safety.caught.recovery",
      "safety.caught.recovery.text",
      "safety.caught.report",
    ],
  },
  {
    title: "help.view.lesson",
    to: "/help?view=lesson",
    texts: ["help.view.lesson.hint"],
  },
  {
    title: "help.view.sitting",
    to: "/help?view=sitting",
    texts: ["help.view.sitting.hint"],
  },
  {
    title: "help.view.thief",
    to: "/help?view=thief",
    texts: ["help.view.thief.hint"],
  },
  {
    title: "help.view.powers",
    to: "/help?view=powers",
    texts: [
      "permissions.lead",
      "permissions.can.title",
      "permissions.cannot.title",
      "permissions.machine",
    ],
  },
  {
    title: "help.view.binary",
    to: "/help?view=binary",
    texts: [
      "binary-warning.lead",
      "binary-warning.why.1",
      "binary-warning.why.2",
      "binary-warning.rulings",
      "binary-warning.gamble.title",
    ],
  },
];

/**
 * Everything searchable in help, in the language shown; needs the messages of `help`, `safety`,
 * `binary`, `withdraw` and `powers`.
 */
export function listHelpEntries(t: Translate): Entry[] {
  const together = (ids: readonly string[]) => ids.map((id) => t(id)).join(" ");
  const joinWords = (words: unknown[]) => words.join("");
  return [
    ...flags.map(({ id }) => ({
      kind: "flag" as const,
      title: t(`safety.flag.${id}.title`),
      text: together(flagTextNames.slice(1).map((part) => `safety.flag.${id}.${part}`)),
      to: buildFlagPath(id),
    })),
    ...pages.map(({ title, to, texts }) => ({
      kind: "page" as const,
      title: t(title),
      text: together(texts),
      to,
    })),
    ...articles.map(({ id }) => ({
      kind: "article" as const,
      title: t(`help.article.${id}.title`),
      text: together(paragraphNames.map((part) => `help.article.${id}.${part}`)),
      to: buildArticlePath(id),
    })),
    ...promiseNumbers.map((number) => {
      const promiseText = t(`help.promise.${number}`, { b: joinWords });
      const end = promiseText.search(/[.。]/) + 1;
      return {
        kind: "promise" as const,
        title: promiseText.slice(0, end),
        text: promiseText.slice(end).trim(),
        to: buildPromisePath(number),
      };
    }),
  ];
}
