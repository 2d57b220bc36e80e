import { IconExternalLink, IconPhone } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { LeaveSheet } from "#web/features/leave-site/LeaveSheet.tsx";

export interface OutLinkProps {
  url: string;
  children: ReactNode;
  /** A muted line below that says what the link is for. */
  hint?: ReactNode;
}

/** A row that links to another site, through a `LeaveSheet`. */
export function OutRow({ url, children, hint }: OutLinkProps) {
  const [open, setOpen] = useState(false);
  const Icon = url.startsWith("tel:") ? IconPhone : IconExternalLink;
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="flex min-h-14 w-full items-center gap-3 px-4 py-2.5 text-left transition-colors hover:bg-leaf active:bg-well focus-visible:-outline-offset-2"
      >
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="break-words">{children}</span>
          {hint ? <span className="text-small text-ink-faint">{hint}</span> : null}
        </span>
        <Icon size={18} aria-hidden="true" className="shrink-0 text-signal-ink" />
      </button>
      <LeaveSheet url={open ? url : null} onClose={() => setOpen(false)} />
    </>
  );
}

/** The same as an inline link. */
export function OutLink({ url, children }: OutLinkProps) {
  const [open, setOpen] = useState(false);
  const Icon = url.startsWith("tel:") ? IconPhone : IconExternalLink;
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="-mx-2 inline-flex min-h-11 items-center gap-1.5 rounded-dock px-2 text-left text-small font-strong text-signal-ink hover:bg-signal-wash"
      >
        <span>{children}</span>
        <Icon size={16} aria-hidden="true" className="shrink-0" />
      </button>
      <LeaveSheet url={open ? url : null} onClose={() => setOpen(false)} />
    </>
  );
}
