import { useText } from "#i18n/useText.ts";
import { deferredPart } from "#web/lib/start/deferredPart.tsx";
import type { PoolRunProps } from "./PoolRunView.tsx";
import { RunButton } from "./RunButton.tsx";

const load = () => import("./PoolRunView.tsx");
const PoolRunView = deferredPart(load);

/** The pool from every start in its history. */
export default function TryPoolButton(pool: PoolRunProps) {
  const t = useText();
  return (
    <RunButton
      label={t("monte-carlo.pool.try")}
      title={t("monte-carlo.pool.title")}
      text={t("monte-carlo.pool.text")}
      load={load}
    >
      <PoolRunView {...pool} />
    </RunButton>
  );
}
