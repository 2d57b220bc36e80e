import { IconKey } from "@tabler/icons-react";
import { useText } from "#i18n/useText.ts";
import { Banner } from "#web/features/receipt/Banner.tsx";
import type { EvidenceReport } from "#web/features/receipt/check.ts";

/**
 * Says plainly that the key of an evidence file is not one that this browser knows: a file can
 * vouch for its leaves, never for its key.
 */
export function EvidenceKey({ evidence }: { evidence: EvidenceReport }) {
  const t = useText();
  const { key, vkey, origin } = evidence;
  if (key === "known") return null;
  return (
    <div className="grid gap-2 pt-3">
      <Banner
        isProblem
        icon={<IconKey size={24} aria-hidden="true" />}
        title={t(`receipt.evidence.${key}`)}
      >
        {t(`receipt.evidence.${key}.note`)}
      </Banner>
      <p className="px-1 text-small text-ink-soft">
        <span className="block break-all">{t("receipt.evidence.key", { origin })}</span>
        <code className="font-mono text-caption break-all text-ink">{vkey}</code>
      </p>
    </div>
  );
}
