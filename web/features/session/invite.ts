/** The code of a `?invite=` link, kept for this tab until a sign-in has used it. */
const key = "drydock.invite";
let inMemory: string | null = null;

/** At most what a sign-in may carry: a longer one, from a link or from storage, would have every sign-in refused. */
function shortened(text: string | null | undefined): string | null {
  return text?.trim().slice(0, 20).toWellFormed() || null;
}

/** Takes the code from the page's address, if it has one. Called once at start. */
export function captureInvite(search: string): void {
  const code = shortened(new URLSearchParams(search).get("invite"));
  if (!code) return;
  inMemory = code;
  try {
    sessionStorage.setItem(key, code);
  } catch {
    // Kept in memory for this page.
  }
}

export function keptInvite(): string | null {
  try {
    return inMemory ?? shortened(sessionStorage.getItem(key));
  } catch {
    return inMemory;
  }
}

export function dropInvite(): void {
  inMemory = null;
  try {
    sessionStorage.removeItem(key);
  } catch {
    // It was never stored.
  }
}
