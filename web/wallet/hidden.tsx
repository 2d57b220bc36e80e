import { type ReactNode, useState } from "react";
import { useIntl } from "react-intl";
import { readStored, store } from "#web/app/settings.ts";

const key = "wallet.hidden";

/** Whether amounts are hidden from eyes over the shoulder; this browser remembers. */
export function useHidden(): [boolean, (hidden: boolean) => void] {
  const [hidden, setHidden] = useState(() => readStored(key) === "yes");
  return [
    hidden,
    (next) => {
      setHidden(next);
      store(key, next ? "yes" : "no");
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
      <span className="sr-only">{formatMessage({ id: "wallet.hidden" })}</span>
    </>
  );
}
