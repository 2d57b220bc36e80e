import type { IconProps } from "@tabler/icons-react";
import type { ComponentType } from "react";
import { cx } from "#ui/cx.ts";
import { Link } from "#ui/router.tsx";

/** Classes of an entry of the side navigation. */
export const sideNavEntryClass =
  "flex min-h-11 w-full items-center gap-3 px-4.5 py-2 text-left text-small text-ink-soft transition-colors hover:bg-leaf hover:text-ink active:bg-well focus-visible:-outline-offset-2";
/** Classes of an entry's label: always read out, shown from 1 024 px. */
export const sideNavLabelClass = "max-wide:sr-only";

export interface SideNavLinkProps {
  to: string;
  label: string;
  Icon: ComponentType<IconProps>;
  /** True for the entry of the current screen. */
  isActive: boolean;
  /** Shows the label at any width, as in a separate menu. */
  isAlwaysLabelled?: boolean;
  onClick?: (() => void) | undefined;
}

/** An entry of the side navigation. */
export function SideNavLink({
  to,
  label,
  Icon,
  isActive,
  isAlwaysLabelled: alwaysLabelled = false,
  onClick,
}: SideNavLinkProps) {
  return (
    <Link
      to={to}
      onClick={onClick}
      title={alwaysLabelled ? undefined : label}
      aria-current={isActive ? "page" : undefined}
      className={cx(sideNavEntryClass, isActive && "bg-well font-strong text-ink")}
    >
      <Icon size={20} stroke={isActive ? 2 : 1.5} className="shrink-0" aria-hidden="true" />
      <span className={alwaysLabelled ? undefined : sideNavLabelClass}>{label}</span>
    </Link>
  );
}
