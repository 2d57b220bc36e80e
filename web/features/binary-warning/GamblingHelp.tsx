import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Fold } from "#ui/Fold.tsx";
import {
  type Helpline,
  helplines,
  sortByDistance,
} from "#web/features/binary-warning/gamblingHelp.ts";
import { OutLink } from "#web/features/leave-site/OutLink.tsx";
import { useSettings } from "#web/lib/settings.ts";

/**
 * Where to find help with gambling problems: the countries of the reader's language first, the
 * others collapsed below.
 */
export function GamblingHelp({ nearOnly = false }: { nearOnly?: boolean }) {
  const t = useText();
  const { language } = useSettings();
  const { near, far } = sortByDistance(helplines, language);
  return (
    <>
      <Lines lines={near} />
      {nearOnly ? null : (
        <Fold label={t("binary-warning.gamble.far")}>
          <Lines lines={far} />
        </Fold>
      )}
    </>
  );
}

function Lines({ lines }: { lines: readonly Helpline[] }) {
  const { formatDisplayName } = useIntl();
  const t = useText();
  return (
    <ul className="flex flex-col gap-3 pt-2">
      {lines.map(({ country, name, phone, url }) => (
        <li key={country}>
          <p className="text-caption text-ink-faint">
            {formatDisplayName(country, { type: "region" })}
          </p>
          <p className="font-strong text-ink">{name}</p>
          <div className="flex flex-wrap gap-x-5">
            {phone ? (
              <OutLink url={`tel:${encodeURIComponent(phone)}`}>
                {t("binary-warning.gamble.call", { phone })}
              </OutLink>
            ) : null}
            {url ? <OutLink url={url}>{new URL(url).host}</OutLink> : null}
          </div>
        </li>
      ))}
    </ul>
  );
}
