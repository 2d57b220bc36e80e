import { IconArrowsUpDown, IconCpu, IconReceipt, IconTopologyStar3 } from "@tabler/icons-react";
import { useIntl } from "react-intl";
import { Link } from "react-router";

/** What there is to practise. A line that is not built yet says so here already. */
const lines = [
  { to: "/business", id: "home.line.contracts", Icon: IconArrowsUpDown, built: true },
  { to: "/ai", id: "home.line.hosting", Icon: IconTopologyStar3, built: true },
  { to: "/mining", id: "home.line.mining", Icon: IconCpu, built: true },
  { to: "/verify", id: "home.line.verify", Icon: IconReceipt, built: true },
] as const;

/** Four places to go from here. */
export function ProductLines() {
  const { formatMessage } = useIntl();
  return (
    <nav aria-label={formatMessage({ id: "home.lines" })} className="mt-4 px-4">
      <ul className="grid grid-cols-4 overflow-hidden rounded-dock border border-line bg-leaf">
        {lines.map(({ to, id, Icon, built }) => (
          <li key={to} className="border-line not-first:border-l">
            <Link
              to={to}
              className="flex h-full min-h-22 flex-col items-center gap-1.5 px-1 pt-3.5 pb-2 text-center text-caption transition-colors hover:bg-well focus-visible:-outline-offset-2"
            >
              <Icon
                size={24}
                stroke={1.5}
                className={built ? "text-signal-ink" : "text-ink-faint"}
                aria-hidden="true"
              />
              <span className="font-strong break-words hyphens-auto">{formatMessage({ id })}</span>
              {built ? null : (
                <span className="-mt-1 text-ink-faint">
                  {formatMessage({ id: "home.line.later" })}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
