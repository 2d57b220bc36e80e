import { IconUserCircle } from "@tabler/icons-react";
import type { RealNameInfo } from "#api/identity.ts";
import { getRealNameInfo } from "#api/routes/identity.ts";
import type { UserInfo } from "#api/session.ts";
import { useText } from "#i18n/useText.ts";
import { Badge } from "#ui/Badge.tsx";
import { getUsedWallet } from "#web/features/session/walletStorage.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

const ends = (text: string, head: number, tail: number) =>
  `${text.slice(0, head)}…${text.slice(-tail)}`;

/**
 * The signed-in person with their wallet, and the state of the practice verification. A practice
 * wallet's address is not shown.
 */
export function Identity({ user }: { user: UserInfo }) {
  const t = useText();
  const browser = getUsedWallet()?.kind === "browser";
  const { data } = useApiQuery(getRealNameInfo, {});
  return (
    <div className="flex items-center gap-3 px-4 py-3">
      <IconUserCircle
        size={44}
        stroke={1.25}
        className="shrink-0 text-ink-soft"
        aria-hidden="true"
      />
      <div className="min-w-0 flex-1">
        <p className="font-strong">{t("account.user", { id: ends(user.user_id, 8, 4) })}</p>
        <p className="text-small text-ink-soft">
          {browser
            ? t("account.with.browser", { address: ends(user.address, 6, 4) })
            : t("account.with.practice")}
        </p>
      </div>
      {data && data.status !== "none" ? (
        <Badge tone={data.outcome === "refused" ? "warning" : "neutral"}>
          {t(getIdentityStatusId(data))}
        </Badge>
      ) : null}
    </div>
  );
}

/** Message key for a verification's state. */
export function getIdentityStatusId({ status, outcome }: RealNameInfo): string {
  if (outcome === "verified") return "account.identity.verified";
  if (outcome === "refused") return "account.identity.refused";
  return status === "none" ? "account.identity.none" : "account.identity.review";
}
