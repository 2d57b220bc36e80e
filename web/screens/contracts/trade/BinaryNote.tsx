import { useText } from "#i18n/useText.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

const BinaryStatement = lazyComponent(
  () => import("#web/features/binary-warning/BinaryStatement.tsx"),
  ["binary-warning"],
);

/** The product's legal name, who forbids selling it, and where to find help. */
export function BinaryNote() {
  const t = useText();
  return (
    <section className="border-l-2 border-warning pl-3 text-small text-ink-soft">
      <h2 className="font-strong text-ink">{t("contracts.binary.title")}</h2>
      <p className="mt-1">{t("contracts.binary.body")}</p>
      <BinaryStatement />
    </section>
  );
}
