import { useState } from "react";

/** A choice that this browser remembers; one that is no longer offered falls back to `fallback`. */
export function useRemembered<Value>(
  key: string,
  fallback: Value,
  isValid: (value: unknown) => value is Value,
): [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
      return isValid(kept) ? kept : fallback;
    } catch {
      return fallback;
    }
  });
  return [
    value,
    (next) => {
      setValue(next);
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // A browser that keeps nothing still works; the choice lasts as long as the page.
      }
    },
  ];
}
