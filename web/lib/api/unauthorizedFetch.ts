import { createEmitter } from "#ui/createStore.ts";

/** Some call was answered with "sign in first". */
const unauthorized = createEmitter();

let expected = false;

/** While `act` runs, a session that ends is no loss: the person asked for its end. */
export async function expectSignOut<T>(act: () => Promise<T>): Promise<T> {
  expected = true;
  try {
    return await act();
  } finally {
    expected = false;
  }
}

/** `fetch` that notices the answer 401. */
export const sessionAwareFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.status === 401 && !expected) unauthorized.emit();
  return response;
};

export const onSessionRequired = unauthorized.subscribe;
