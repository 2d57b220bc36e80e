import { useIntl } from "react-intl";
import { lazyPart } from "#web/lib/lazyComponent.tsx";

const BinaryStatement = lazyPart(
  () => import("#web/features/binary-warning/BinaryStatement.tsx"),
  ["binary"],
);

/** What this product is called in law, who forbids selling it, and where to find help. */
export function BinaryNote() {
  const { formatMessage } = useIntl();
  return (
    <section className="border-l-2 border-mind pl-3 text-small text-ink-soft">
      <h2 className="font-strong text-ink">{formatMessage({ id: "contracts.binary.title" })}</h2>
      <p className="mt-1">{formatMessage({ id: "contracts.binary.body" })}</p>
      <BinaryStatement />
    </section>
  );
}
