import type { IconProps } from "@tabler/icons-react";
import type { ComponentType } from "react";
import { cx } from "#ui/cx.ts";
import { Link } from "#ui/router.tsx";

/** The look of an entry of the rail. */
export const railEntryClass =
  "flex min-h-11 w-full items-center gap-3 px-4.5 py-2 text-left text-small text-ink-soft transition-colors hover:bg-leaf hover:text-ink active:bg-well focus-visible:-outline-offset-2";
/** The words of an entry: always read out, shown from 1 024 px. */
export const railWordsClass = "max-wide:sr-only";

export interface RailLinkProps {
  to: string;
  label: string;
  Icon: ComponentType<IconProps>;
  /** Where the reader is. */
  lit: boolean;
  /** Shows the words at any width, as in a menu of its own. */
  words?: boolean;
  onClick?: (() => void) | undefined;
}

/** A place in the rail. */
export function RailLink({ to, label, Icon, lit, words = false, onClick }: RailLinkProps) {
  return (
    <Link
      to={to}
      onClick={onClick}
      title={words ? undefined : label}
      aria-current={lit ? "page" : undefined}
      className={cx(railEntryClass, lit && "bg-well font-strong text-ink")}
    >
      <Icon size={20} stroke={lit ? 2 : 1.5} className="shrink-0" aria-hidden="true" />
      <span className={words ? undefined : railWordsClass}>{label}</span>
    </Link>
  );
}
