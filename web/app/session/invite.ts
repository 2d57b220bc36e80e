/** The code of a `?invite=` link, kept for this tab until a sign-in has used it. */
const key = "drydock.invite";
let inMemory: string | null = null;

/** Takes the code from the page's address, if it has one. Called once at start. */
export function captureInvite(search: string): void {
  const code = new URLSearchParams(search).get("invite")?.trim().slice(0, 20);
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
    return inMemory ?? sessionStorage.getItem(key);
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
