import { type ReactNode, useSyncExternalStore } from "react";
import { useIntl } from "react-intl";
import { readStored, store } from "#web/lib/settings.ts";

const key = "drydock.hidden";
const listeners = new Set<() => void>();
let chosen: boolean | null = null;

function read(): boolean {
  chosen ??= readStored(key) === "yes";
  return chosen;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether amounts are hidden from eyes over the shoulder; this browser remembers, and every part of a page agrees. */
export function useHidden(): [boolean, (hidden: boolean) => void] {
  const hidden = useSyncExternalStore(subscribe, read);
  return [
    hidden,
    (next) => {
      chosen = next;
      store(key, next ? "yes" : "no");
      for (const listener of listeners) listener();
    },
  ];
}

/** An amount, or dots in its place. */
export function Hideable({ hidden, children }: { hidden: boolean; children: ReactNode }) {
  const { formatMessage } = useIntl();
  if (!hidden) return children;
  return (
    <>
      <span aria-hidden="true">••••</span>
      <span className="sr-only">{formatMessage({ id: "app.hidden" })}</span>
    </>
  );
}
