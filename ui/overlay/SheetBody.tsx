import { CSPProvider } from "@base-ui/react/csp-provider";
import { Dialog as Base } from "@base-ui/react/dialog";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useText } from "#i18n/useText.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { scrollStop } from "#ui/overlay/scrollStop.ts";
import { useBackCloses } from "#ui/overlay/useBackCloses.ts";

export interface SheetProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons that stay visible below the scrolling content. */
  actions?: ReactNode;
}

/** Keeps hyphenated words of a title ("Cross-venue") on one line if they fit. */
function keepHyphenated(title: string): ReactNode {
  return title.split(/(\S*\p{L}-\p{L}\S*)/u).map((part, index) =>
    index % 2 === 1 ? (
      <span key={part} className="inline-block">
        {part}
      </span>
    ) : (
      part
    ),
  );
}

/** The body of a `Sheet` with the Base UI code it needs, loaded when the first one opens. */
export default function SheetBody({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
}: SheetProps) {
  const t = useText();
  useBackCloses(open, () => onOpenChange(false));
  return (
    <CSPProvider disableStyleElements>
      <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
        <Base.Portal>
          <Base.Backdrop className="sheet-backdrop fixed inset-0 z-30 bg-scrim" />
          <Base.Viewport className="fixed inset-x-0 bottom-0 top-7 z-40 flex items-end justify-center wide:items-center wide:p-6">
            <Base.Popup className="sheet-popup flex max-h-full w-full max-w-120 flex-col rounded-t-dock border-x border-t border-line bg-paper outline-none wide:rounded-dock wide:border">
              <div className="flex items-start gap-2 pt-2 pr-2 pl-4">
                <Base.Title className="min-w-0 flex-1 pt-2 text-title font-strong">
                  {typeof title === "string" ? keepHyphenated(title) : title}
                </Base.Title>
                <Base.Close
                  render={
                    <IconButton label={t("ui.close")}>
                      <IconX size={20} aria-hidden="true" />
                    </IconButton>
                  }
                />
              </div>
              <div
                ref={scrollStop}
                className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 pt-1 pb-4"
              >
                {description ? (
                  <Base.Description className="mb-4 text-small text-ink-soft">
                    {description}
                  </Base.Description>
                ) : null}
                {children}
              </div>
              {actions ? (
                <div className="flex flex-col gap-2 border-t border-line px-4 pt-3 pb-[calc(12px+env(safe-area-inset-bottom))]">
                  {actions}
                </div>
              ) : null}
            </Base.Popup>
          </Base.Viewport>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  );
}
