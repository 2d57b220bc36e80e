import { findHostProblem, type LinkError } from "#core/publishing/links.ts";
import { isTarget } from "#core/publishing/markdown.ts";
import { paymentWords, promisedReturns, unprefixedCoin } from "#core/publishing/phrases.ts";

/** Why an operator's text may not be published, with the offending words. */
export interface TextProblem {
  fault: "promises_return" | "asks_payment" | "coin_unmarked" | "real_address" | LinkError;
  phrase: string;
  /** For a real address: its chain. */
  chain?: string;
}

/**
 * Returns the real chain whose addresses look like a word, or null
 * (core/addresses/addressChains.ts).
 */
export type ChainOf = (word: string) => string | null;

/**
 * Returns every reason against publishing a text, each kind once. The text is checked against the
 * phrases of all languages, because a German post may contain an English sentence, and text hidden
 * by Markdown marks or zero-width characters is found. Runs in linear time on any input: no draft
 * may delay the market's seconds. Denials are refused as well: "nobody can guarantee" contains what
 * a hurried reader takes away, and a rule that weighs meaning cannot be tested. Publications are
 * public and stored in clear.
 */
export function findTextProblems(text: string, chainOf: ChainOf): TextProblem[] {
  const visibleText = text
    .normalize("NFKC")
    .replaceAll(/[\u00AD\u200B-\u200F\u2028-\u202E\u2060-\u2064\uFEFF]/g, "");
  const unmarkedText = visibleText.replaceAll(/[*`~\\]|(?<!\w)_+|(?<!_)_+(?!\w)/g, "");
  const problems = [
    findFirst(Object.values(promisedReturns), unmarkedText, "promises_return"),
    findFirst(Object.values(paymentWords), unmarkedText, "asks_payment"),
    findFirst([unprefixedCoin], unmarkedText, "coin_unmarked"),
    findAddress(unmarkedText, chainOf),
    findAccount(unmarkedText),
    findLinkProblem(visibleText),
  ];
  return problems.filter((textProblem) => textProblem !== null);
}

function findFirst(
  phrases: readonly RegExp[],
  text: string,
  fault: "promises_return" | "asks_payment" | "coin_unmarked",
): TextProblem | null {
  for (const phrase of phrases) {
    const match = phrase.exec(text);
    if (match) return { fault, phrase: match[0].slice(0, 80) };
  }
  return null;
}

/** Finds words as long as an address, and names that resolve to one. */
function findAddress(text: string, chainOf: ChainOf): TextProblem | null {
  const names = findRuns(text).flatMap((run) => {
    const index = run.search(/\.eth\b/i);
    return index > 0 ? [run.slice(0, index + 4)] : [];
  });
  for (const word of [...(text.match(/[A-Za-z0-9:_-]{25,}/g) ?? []), ...names]) {
    for (const part of [word, ...word.split(/[:_-]/)]) {
      const chain = looksGenerated(part) ? chainOf(part) : null;
      if (chain !== null) return { fault: "real_address", phrase: word.slice(0, 80), chain };
    }
  }
  return null;
}

/** Natural long words contain neither digits nor inner capitals. */
function looksGenerated(word: string): boolean {
  return /\d/.test(word) || /[a-z][A-Z]/.test(word) || /\.eth$/i.test(word);
}

/**
 * Finds a bank account (ISO 13616) or a payment card (ISO/IEC 7812) by its check digits, or a
 * payment request in a chain's own URI scheme.
 */
function findAccount(text: string): TextProblem | null {
  const scheme =
    /\b(?:bitcoin|ethereum|litecoin|tron|solana|lightning|upi|payto|wc|metamask|trust):\S+/i.exec(
      text,
    );
  if (scheme) return { fault: "asks_payment", phrase: scheme[0].slice(0, 80) };
  for (const [iban] of text.matchAll(/\b[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{2,4}){3,8}\b/g)) {
    if (isIban(iban.replaceAll(" ", ""))) return { fault: "asks_payment", phrase: iban };
  }
  for (const [card] of text.matchAll(/\b[3-6]\d{3}(?:[ -]?\d){11,12}\b/g)) {
    if (isCard(card.replaceAll(/\D/g, ""))) return { fault: "asks_payment", phrase: card };
  }
  return null;
}

function isIban(text: string): boolean {
  if (text.length < 15 || text.length > 34) return false;
  const digits = Array.from(`${text.slice(4)}${text.slice(0, 4)}`)
    .map((character) => parseInt(character, 36))
    .join("");
  return BigInt(digits) % 97n === 1n;
}

function isCard(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, index) => {
      const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2;
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

/**
 * Checks that link targets are https or a page of this instance, and that no messenger host appears
 * anywhere.
 */
function findLinkProblem(text: string): TextProblem | null {
  const targets = [
    ...[...text.matchAll(/\]\(\s*<?([^)\s>]*)/g)].map(([, target]) => target!),
    ...[...text.matchAll(/^[ \t]*\[[^\]\n]+\]:[ \t]*<?(\S+?)>?[ \t]*$/gm)].map(
      ([, target]) => target!,
    ),
    ...[...text.matchAll(/<([a-z][a-z0-9+.-]*:[^<>\s]*)>/gi)].map(([, target]) => target!),
  ];
  const badTarget =
    targets.find((target) => !isTarget(target)) ??
    findOtherScheme(text) ??
    /\b(?:javascript|data|vbscript|file|tel|sms|mailto):\S+/i.exec(text)?.[0];
  if (badTarget !== undefined) return { fault: "link_not_https", phrase: badTarget.slice(0, 80) };
  for (const host of findRuns(text).map(findHost)) {
    const fault = findHostProblem(host);
    if (fault) return { fault, phrase: host.slice(0, 80) };
  }
  return null;
}

/** Runs of host name characters. */
function findRuns(text: string): string[] {
  return text.match(/[a-z0-9.-]+/gi) ?? [];
}

/** A run, cut after the last part that can end a host name. */
function findHost(run: string): string {
  const parts = run.split(".").filter((part) => part !== "");
  for (; parts.length > 0; parts.pop()) {
    const end = /^[a-z]{2,}/i.exec(parts.at(-1)!)?.[0];
    if (end) return [...parts.slice(0, -1), end].join(".");
  }
  return "";
}

/** The first URL with a scheme other than https. */
function findOtherScheme(text: string): string | null {
  for (const { index } of text.matchAll(/:\/\//g)) {
    const scheme = /[a-z][a-z0-9+.-]*$/i.exec(text.slice(Math.max(0, index - 40), index))?.[0];
    if (scheme && scheme.toLowerCase() !== "https")
      return scheme + (/^\S*/.exec(text.slice(index, index + 80))?.[0] ?? "");
  }
  return null;
}
