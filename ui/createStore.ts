import { useSyncExternalStore } from "react";

export interface Emitter {
  emit: () => void;
  /** Calls `listener` on each `emit` until the returned function is called. */
  subscribe: (listener: () => void) => () => void;
}

/** A minimal event emitter. */
export function createEmitter(): Emitter {
  const listeners = new Set<() => void>();
  return {
    emit: () => {
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export interface Store<State> {
  read: () => State;
  set: (next: State) => void;
  subscribe: Emitter["subscribe"];
}

/**
 * State outside React that components read with `useStore` and any code may set. Replace the value;
 * never mutate it.
 */
export function createStore<State>(first: State): Store<State> {
  const { emit, subscribe } = createEmitter();
  let state = first;
  return {
    read: () => state,
    set: (next) => {
      state = next;
      emit();
    },
    subscribe,
  };
}

/** The current state of `store`; re-renders when it changes. */
export function useStore<State>(store: Pick<Store<State>, "read" | "subscribe">): State {
  return useSyncExternalStore(store.subscribe, store.read);
}

/** A selected part of the state; re-renders when that part changes (`Object.is`). */
export function useStorePart<State, Part>(
  store: Pick<Store<State>, "read" | "subscribe">,
  select: (state: State) => Part,
): Part {
  return useSyncExternalStore(store.subscribe, () => select(store.read()));
}
