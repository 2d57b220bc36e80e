import {
  IconAdjustmentsHorizontal,
  IconChartCandle,
  IconChartLine,
  IconChevronsRight,
  IconDots,
  IconMinus,
  IconPlus,
  IconTable,
  IconVolume,
} from "@tabler/icons-react";
import { type ReactNode, type RefObject, useId, useState } from "react";
import { useText } from "#i18n/useText.ts";
import { IconButton } from "#ui/IconButton.tsx";
import type { ChartKind } from "./choices.ts";
import type { ChartController } from "./controller.ts";

interface ChartToolsProps {
  controller: RefObject<ChartController | null>;
  kind: ChartKind;
  onKind: (kind: ChartKind) => void;
  asTable: boolean;
  onTable: (asTable: boolean) => void;
  onIndicators: () => void;
  /** The intervals, which stay in view. */
  children: ReactNode;
}

/**
 * The intervals, and behind one button the other tools of the chart. They open as a row, not as a
 * sheet: whoever zooms wants to see the chart.
 */
export function ChartTools(props: ChartToolsProps) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const toolsId = useId();
  return (
    <div className="px-4">
      <div className="flex">
        <div className="min-w-0 flex-1">{props.children}</div>
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
        {open ? <Tools {...props} /> : null}
      </div>
    </div>
  );
}

function Tools({
  controller,
  kind,
  onKind,
  asTable,
  onTable,
  onIndicators,
}: Omit<ChartToolsProps, "children">) {
  const t = useText();
  const chart = (id: string, icon: ReactNode, act: () => void) => (
    <IconButton label={t(`contracts.chart.${id}`)} disabled={asTable} onClick={act}>
      {icon}
    </IconButton>
  );
  const look = { size: 20, "aria-hidden": true } as const;
  return (
    <>
      <IconButton
        label={t(asTable ? "contracts.chart.chart" : "contracts.chart.table")}
        onClick={() => onTable(!asTable)}
      >
        {asTable ? <IconChartLine {...look} /> : <IconTable {...look} />}
      </IconButton>
      <IconButton
        label={t("contracts.chart.candles")}
        pressed={kind === "candles"}
        disabled={asTable}
        onClick={() => onKind(kind === "candles" ? "line" : "candles")}
      >
        <IconChartCandle {...look} />
      </IconButton>
      {chart("indicators", <IconAdjustmentsHorizontal {...look} />, onIndicators)}
      {chart("hear", <IconVolume {...look} />, () => controller.current?.hear())}
      {chart("zoomOut", <IconMinus {...look} />, () => controller.current?.zoom(0.8))}
      {chart("zoomIn", <IconPlus {...look} />, () => controller.current?.zoom(1.25))}
      {chart("newest", <IconChevronsRight {...look} />, () => controller.current?.toNewest())}
    </>
  );
}
