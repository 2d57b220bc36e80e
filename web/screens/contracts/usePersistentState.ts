import { useState } from "react";
import { browserStorage, type StoredName } from "#web/lib/storage.ts";

/** The choice stored in this browser, or `fallback` where there is none that is still on offer. */
export function readChoice<Value>(
  name: StoredName,
  fallback: Value,
  isValid: (value: unknown) => value is Value,
): Value {
  const value = browserStorage.readJson(name);
  return isValid(value) ? value : fallback;
}

/** A choice stored in this browser; a stored value no longer on offer falls back to `fallback`. */
export function usePersistentState<Value>(
  name: StoredName,
  fallback: Value,
  isValid: (value: unknown) => value is Value,
): [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => readChoice(name, fallback, isValid));
  return [
    value,
    (next) => {
      setValue(next);
      browserStorage.write(name, JSON.stringify(next));
    },
  ];
}
