import { useSyncExternalStore } from "react";

export interface Emitter {
  emit: () => void;
  /** Hears each `emit` until the returned function is called. */
  subscribe: (listener: () => void) => () => void;
}

/** Something that happens, and who hears of it. */
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
 * A value outside of React that components show (`useStore`) and that any code changes. Set a new
 * value, never change one in place.
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

/** The state of `store` as it is now; draws again when it changes. */
export function useStore<State>(store: Pick<Store<State>, "read" | "subscribe">): State {
  return useSyncExternalStore(store.subscribe, store.read);
}

/** A part of the state; draws again when that part is another one (`Object.is`). */
export function useStorePart<State, Part>(
  store: Pick<Store<State>, "read" | "subscribe">,
  select: (state: State) => Part,
): Part {
  return useSyncExternalStore(store.subscribe, () => select(store.read()));
}
