import {
  IconArrowBarUp,
  IconArrowsExchange,
  IconEye,
  IconEyeOff,
  IconPlus,
  IconUserPlus,
} from "@tabler/icons-react";
import { useText } from "#i18n/useText.ts";
import { Link } from "#ui/router.tsx";
import { useHideAmounts } from "#web/lib/hideAmounts.tsx";

const actions = [
  { id: "quick-actions.recharge", to: "/wallet-info?coin=pUSDT&do=recharge", Icon: IconPlus },
  { id: "quick-actions.withdraw", to: "/wallet-info?coin=pUSDT&do=withdraw", Icon: IconArrowBarUp },
  {
    id: "quick-actions.exchange",
    to: "/wallet-info?coin=pUSDT&do=exchange",
    Icon: IconArrowsExchange,
  },
  { id: "quick-actions.invite", to: "/share", Icon: IconUserPlus },
] as const;

const buttonClass =
  "flex w-full flex-col items-center gap-1 rounded-dock py-1 text-caption text-ink-soft transition-colors hover:bg-well";
const mark = "grid size-8 place-items-center text-signal-ink";

/** The most frequent actions with a balance, one press from home, and a way to hide the amounts. */
export default function QuickActions() {
  const t = useText();
  const [hidden, hide] = useHideAmounts();
  const Eye = hidden ? IconEye : IconEyeOff;
  return (
    <ul className="-mx-2 mt-3 flex min-h-14" aria-label={t("quick-actions.title")}>
      {actions.map(({ id, to, Icon }) => (
        <li key={id} className="min-w-0 flex-1">
          <Link to={to} className={buttonClass}>
            <span className={mark}>
              <Icon size={22} aria-hidden="true" />
            </span>
            <span className="w-full truncate text-center">{t(id)}</span>
          </Link>
        </li>
      ))}
      <li className="min-w-0 flex-1">
        <button
          type="button"
          aria-pressed={hidden}
          onClick={() => hide(!hidden)}
          className={buttonClass}
        >
          <span className={mark}>
            <Eye size={22} aria-hidden="true" />
          </span>
          <span className="w-full truncate text-center">{t("quick-actions.hide")}</span>
        </button>
      </li>
    </ul>
  );
}
