import { IconLock } from "@tabler/icons-react";
import type { OperatorMe } from "#api/operator/session.ts";
import { useText } from "#i18n/useText.ts";
import { securityPath } from "#operator/app/useFactors.ts";
import { mayElevate } from "#operator/app/useOperator.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { Link, useLocation } from "#ui/router.tsx";

/**
 * Shown on every page while a missing second factor keeps everything read-only, with a link to its
 * setup.
 */
export function ReadOnlyBanner({ me }: { me: OperatorMe }) {
  const t = useText();
  const { pathname } = useLocation();
  if (me.factors_ready || !mayElevate(me)) return null;
  return (
    <output className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-warning-wash px-4 py-2 text-small text-warning">
      <IconLock size={18} className="shrink-0" aria-hidden="true" />
      <span className="min-w-0 flex-1 basis-52">{t("console.factor.banner")}</span>
      {pathname === securityPath ? null : (
        <Link to={securityPath} className={buttonClass({ variant: "outline", size: "small" })}>
          {t("console.factor.setUp")}
        </Link>
      )}
    </output>
  );
}
