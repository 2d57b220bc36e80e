import { IconDots } from "@tabler/icons-react";
import { type ReactNode, Suspense, useId, useState } from "react";
import { useText } from "#i18n/useText.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import type { ToolRowProps } from "./ToolRow.tsx";

const ToolRow = deferredComponent(() => import("./ToolRow.tsx"));

interface ChartToolsProps extends ToolRowProps {
  /** The intervals, which stay in view. */
  children: ReactNode;
}

/**
 * The intervals, and behind one button the other tools of the chart. They open as a row, not as a
 * sheet: zooming needs the chart in view.
 */
export function ChartTools({ children, ...tools }: ChartToolsProps) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const toolsId = useId();
  return (
    <div className="px-4">
      <div className="flex">
        <div className="min-w-0 flex-1">{children}</div>
        <IconButton
          label={t("contracts.chart.tools")}
          aria-expanded={open}
          aria-controls={toolsId}
          onClick={() => setOpen(!open)}
          className="-mr-3"
        >
          <IconDots size={20} aria-hidden="true" />
        </IconButton>
      </div>
      <div id={toolsId} className="-mx-3 flex flex-wrap empty:hidden">
        {open ? (
          <Suspense fallback={<span className="h-11" />}>
            <ToolRow {...tools} />
          </Suspense>
        ) : null}
      </div>
    </div>
  );
}
