import { useSyncExternalStore } from "react";

/** Whether the question that an invited person is asked once, after the sign-up, is to be shown now. */
let asked = false;
const listeners = new Set<() => void>();

export function setInviteQuestion(next: boolean): void {
  asked = next;
  for (const listener of listeners) listener();
}

export function useInviteQuestion(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
  );
}
