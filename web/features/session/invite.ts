import { tabStorage } from "#web/lib/storage.ts";

/** The code of a `?invite=` link, kept for this tab until a sign-in has used it. */
let inMemory: string | null = null;

/**
 * Cuts to the length a sign-in accepts: a longer code, from a link or from storage, would make
 * every sign-in fail.
 */
function shortened(text: string | null | undefined): string | null {
  return text?.trim().slice(0, 20).toWellFormed() || null;
}

/** Makes the next sign-in join with this code. */
export function setInvite(code: string): void {
  inMemory = code;
}

/** Takes the code from the page's address, if it has one. Called once at start-up. */
export function captureInvite(search: string): void {
  const code = shortened(new URLSearchParams(search).get("invite"));
  if (!code) return;
  inMemory = code;
  tabStorage.write("invite", code);
}

export function readInvite(): string | null {
  return inMemory ?? shortened(tabStorage.read("invite"));
}

export function clearInvite(): void {
  inMemory = null;
  tabStorage.write("invite", null);
}
