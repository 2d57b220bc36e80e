import { useIntl } from "react-intl";
import { Button } from "#ui/Button.tsx";
import { Section } from "#ui/Section.tsx";
import { useBpText } from "../figures.tsx";
import { Legend, type Line, Lines } from "../Lines.tsx";
import type { Gap } from "./useRun.ts";

interface GapPictureProps {
  gaps: readonly Gap[];
  /** Stands still, so that it can be looked at. */
  held: boolean;
  onHold: () => void;
}

/** The gap over time against the width from which trading would pay. */
export function GapPicture({ gaps, held, onHold }: GapPictureProps) {
  const { formatMessage } = useIntl();
  const bpText = useBpText();
  const say = (id: string) => formatMessage({ id });
  const seen = gaps.flatMap(({ atMs, gap }) => (gap === null ? [] : [[atMs, gap] as const]));
  const needed = gaps.flatMap(({ atMs, needed: own }) =>
    own === null ? [] : [[atMs, own] as const],
  );
  const lines: Line[] = [
    { look: "strong", dots: seen },
    { look: "dashed", dots: needed },
  ];
  const widest = Math.max(...seen.map(([, gap]) => gap));
  return (
    <Section
      title={say("hosting.gaps.title")}
      kind="plain"
      action={
        seen.length > 1 ? (
          <Button variant="quiet" size="small" onClick={onHold}>
            {say(held ? "hosting.gaps.go" : "hosting.gaps.hold")}
          </Button>
        ) : undefined
      }
    >
      {seen.length < 2 ? (
        <p className="py-4 text-small text-ink-soft">{say("hosting.gaps.none")}</p>
      ) : (
        <figure className="flex flex-col gap-2">
          <Lines lines={lines} height={120} />
          <Legend
            items={[
              { look: "strong", text: say("hosting.run.gap") },
              { look: "dashed", text: say("hosting.run.needed") },
            ]}
          />
          <figcaption className="text-caption text-ink-faint">
            {formatMessage(
              { id: "hosting.gaps.caption" },
              {
                seconds: seen.length,
                widest: bpText(widest.toFixed(2)),
                wide: gaps.filter(({ gap, needed: own }) => (gap ?? 0) > (own ?? Infinity)).length,
              },
            )}
          </figcaption>
        </figure>
      )}
    </Section>
  );
}
