/** Told when any call is answered with "sign in first". */
const listeners = new Set<() => void>();

/** `fetch` that notices the answer 401. */
export const watchedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.status === 401) for (const listener of listeners) listener();
  return response;
};

export function onSessionRequired(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
