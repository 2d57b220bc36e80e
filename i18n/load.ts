import shells from "virtual:catalogues";
import type { MessageFormatElement } from "react-intl";
import { defaultLocale, type Locale } from "#core/locales.ts";

/** A compiled catalogue: plain text as it is, anything with arguments as its parsed form. */
type Catalogue = Record<string, string | MessageFormatElement[]>;
export type Messages = Record<string, MessageFormatElement[]>;

/** The messages on screen: a language with the namespaces requested so far. */
export interface ShownMessages {
  locale: Locale;
  messages: Messages;
}

const loadedNamespaces = new Map<string, Promise<Messages>>();
const requestedNamespaces = new Set(["shell"]);
const listeners = new Set<() => void>();
let requested: Locale = defaultLocale;
let shownMessages: ShownMessages = { locale: defaultLocale, messages: {} };
/** The namespaces among `shown.messages`. */
let shownNamespaces = new Set<string>();

/** Loads one part of one language; a failed load is retried on the next request. */
function loadNamespace(locale: Locale, namespace: string): Promise<Messages> {
  const key = `${locale}/${namespace}`;
  let messages = loadedNamespaces.get(key);
  if (!messages) {
    messages = readNamespace(locale, namespace).then(unwrap);
    messages.catch(() => loadedNamespaces.delete(key));
    loadedNamespaces.set(key, messages);
  }
  return messages;
}

async function readNamespace(locale: Locale, namespace: string): Promise<Catalogue> {
  const shell = await shells[locale]();
  if (namespace === "shell") return shell.default;
  const load = shell.parts[namespace];
  if (!load) throw new Error(`there are no messages ${locale}/${namespace}`);
  return (await load()).default;
}

function unwrap(catalogue: Catalogue): Messages {
  return Object.fromEntries(
    Object.entries(catalogue).map(([key, message]) => [
      key,
      typeof message === "string" ? [{ type: 0, value: message } as MessageFormatElement] : message,
    ]),
  );
}

async function show(locale: Locale): Promise<void> {
  let namespaces: string[];
  let parts: Messages[];
  do {
    namespaces = [...requestedNamespaces];
    parts = await Promise.all(namespaces.map((namespace) => loadNamespace(locale, namespace)));
  } while (requestedNamespaces.size !== namespaces.length);
  // Another language may have been requested in the meantime.
  if (requested !== locale) return;
  shownMessages = { locale, messages: Object.assign({}, ...parts) as Messages };
  shownNamespaces = new Set(namespaces);
  for (const listener of listeners) listener();
}

/**
 * Switches the language once everything on screen has loaded in it. Rejects when a chunk cannot be
 * loaded.
 */
export async function showLanguage(locale: Locale): Promise<void> {
  requested = locale;
  try {
    await show(locale);
  } catch (error) {
    if (requested === locale) requested = shownMessages.locale;
    throw error;
  }
}

/**
 * Resolves once the messages of these domains (folders of `i18n`) are on screen. Rejects when one
 * cannot be loaded; other requests are unaffected.
 */
export async function loadMessages(namespaces: readonly string[]): Promise<void> {
  await Promise.all(namespaces.map((namespace) => loadNamespace(requested, namespace)));
  for (const namespace of namespaces) requestedNamespaces.add(namespace);
  // Not immediately if another language was chosen in the meantime.
  while (!namespaces.every((namespace) => shownNamespaces.has(namespace))) await show(requested);
}

/**
 * The messages of some parts in a language that need not be the one on screen: for a preview of
 * what its readers see.
 */
export async function loadMessagesIn(
  locale: Locale,
  namespaces: readonly string[],
): Promise<Messages> {
  const catalogues = await Promise.all(
    ["shell", ...namespaces].map((namespace) => loadNamespace(locale, namespace)),
  );
  return Object.assign({}, ...catalogues) as Messages;
}

/** For `useSyncExternalStore`. */
export const messageStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: () => shownMessages,
};
