import {
  IconAdjustmentsHorizontal,
  IconChartBar,
  IconChartLine,
  IconChevronsRight,
  IconHelp,
  IconMinus,
  IconPlus,
  IconTable,
  IconVolume,
} from "@tabler/icons-react";
import type { ReactNode, RefObject } from "react";
import { useText } from "#i18n/useText.ts";
import { IconButton } from "#ui/IconButton.tsx";
import type { ChartKind } from "./choices.ts";
import type { ChartController } from "./controller.ts";

export interface ToolRowProps {
  controller: RefObject<ChartController | null>;
  kind: ChartKind;
  onKind: (kind: ChartKind) => void;
  isTable: boolean;
  onTable: (asTable: boolean) => void;
  onIndicators: () => void;
  /** Explains how to read and operate the chart. */
  onHelp: () => void;
}

/** Every tool of the chart besides its interval. */
export default function ToolRow({
  controller,
  kind,
  onKind,
  isTable,
  onTable,
  onIndicators,
  onHelp,
}: ToolRowProps) {
  const t = useText();
  const chart = (id: string, icon: ReactNode, act: () => void) => (
    <IconButton label={t(`contracts.chart.${id}`)} disabled={isTable} onClick={act}>
      {icon}
    </IconButton>
  );
  const iconProps = { size: 20, "aria-hidden": true } as const;
  return (
    <>
      <IconButton
        label={t(isTable ? "contracts.chart.chart" : "contracts.chart.table")}
        onClick={() => onTable(!isTable)}
      >
        {isTable ? <IconChartLine {...iconProps} /> : <IconTable {...iconProps} />}
      </IconButton>
      <IconButton
        label={t("contracts.chart.bars")}
        pressed={kind === "bars"}
        disabled={isTable}
        onClick={() => onKind(kind === "bars" ? "line" : "bars")}
      >
        <IconChartBar {...iconProps} />
      </IconButton>
      {chart("indicators", <IconAdjustmentsHorizontal {...iconProps} />, onIndicators)}
      {chart("hear", <IconVolume {...iconProps} />, () => controller.current?.playSound())}
      {chart("zoomOut", <IconMinus {...iconProps} />, () => controller.current?.zoom(0.8))}
      {chart("zoomIn", <IconPlus {...iconProps} />, () => controller.current?.zoom(1.25))}
      {chart("newest", <IconChevronsRight {...iconProps} />, () => controller.current?.toNewest())}
      <IconButton label={t("contracts.keys.title")} onClick={onHelp}>
        <IconHelp {...iconProps} />
      </IconButton>
    </>
  );
}
