import { tabStorage } from "#web/lib/storage.ts";

/** The code of a `?invite=` link, kept for this tab until a sign-in has used it. */
let inMemory: string | null = null;

/**
 * At most what a sign-in may carry: a longer one, from a link or from storage, would have every
 * sign-in refused.
 */
function shortened(text: string | null | undefined): string | null {
  return text?.trim().slice(0, 20).toWellFormed() || null;
}

/** Takes the code from the page's address, if it has one. Called once at start. */
export function captureInvite(search: string): void {
  const code = shortened(new URLSearchParams(search).get("invite"));
  if (!code) return;
  inMemory = code;
  tabStorage.write("invite", code);
}

export function storedInvite(): string | null {
  return inMemory ?? shortened(tabStorage.read("invite"));
}

export function clearInvite(): void {
  inMemory = null;
  tabStorage.write("invite", null);
}
