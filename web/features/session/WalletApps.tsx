import { IconDeviceMobile, IconExternalLink } from "@tabler/icons-react";
import { useText } from "#i18n/useText.ts";
import { listWalletAppLinks } from "#web/features/session/walletApps.ts";

/**
 * Links into the browsers of wallet apps, shown on phones because a phone's browser has no wallet.
 * They are plain links that leave the site when pressed; each names the company that learns of it.
 */
export function WalletApps() {
  const t = useText();
  const apps = window.matchMedia("(hover: none) and (pointer: coarse)").matches
    ? listWalletAppLinks(window.location.origin)
    : [];
  if (apps.length === 0) return null;
  const { host } = window.location;
  return (
    <details className="mt-3">
      <summary className="flex min-h-11 items-center gap-2 font-strong text-signal-ink">
        <IconDeviceMobile size={20} aria-hidden="true" className="shrink-0" />
        {t("sign-in.apps.title")}
      </summary>
      <p className="mt-1 text-small text-ink-soft">{t("sign-in.apps.text")}</p>
      <ul className="hairlines -mx-4 mt-3 border-y border-line">
        {apps.map(({ name, company, href }) => (
          <li key={name}>
            <a
              href={href}
              rel="noreferrer"
              className="flex min-h-14 items-center gap-3 px-4 py-2.5 transition-colors hover:bg-leaf active:bg-well focus-visible:-outline-offset-2"
            >
              <span className="flex min-w-0 flex-1 flex-col">
                <span>{name}</span>
                <span className="text-small text-ink-faint">
                  {t("sign-in.apps.learns", { company, host })}
                </span>
              </span>
              <IconExternalLink size={18} aria-hidden="true" className="shrink-0 text-signal-ink" />
            </a>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-small text-ink-soft">{t("sign-in.apps.code")}</p>
    </details>
  );
}
