import { createEmitter } from "#ui/createStore.ts";

/** Emitted when a call was answered with 401. */
const unauthorized = createEmitter();

let expected = false;

/**
 * Runs `act` without reporting the end of the session as a loss, because the person asked for it.
 */
export async function expectSignOut<T>(act: () => Promise<T>): Promise<T> {
  expected = true;
  try {
    return await act();
  } finally {
    expected = false;
  }
}

/** `fetch` that reports a 401 response. */
export const sessionAwareFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.status === 401 && !expected) unauthorized.emit();
  return response;
};

export const onSessionRequired = unauthorized.subscribe;
