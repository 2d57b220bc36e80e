import { useId } from "react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";
import {
  bandHeight,
  edge,
  getTextShape,
  layOutPicture,
  pictureWidth,
  wrapPart,
} from "#web/screens/help/thief/pictureShape.ts";
import type { Drawing, ThiefScene } from "#web/screens/help/thief/scenes.ts";
import { measureText } from "#web/screens/help/thief/wrapText.ts";

interface ThiefPictureProps {
  scene: ThiefScene;
  /** The part that the person marked. */
  isMarked: number | null;
  /** Shows which parts are wrong. */
  isRevealed: boolean;
}

const inner = pictureWidth - 2 * edge;

/**
 * A still picture of a screen as a thief would build it, with the word for staged along both edges
 * and across it, so that no cut-out passes for the real thing. Nothing in it is a control.
 */
export function ThiefPicture({ scene, isMarked, isRevealed }: ThiefPictureProps) {
  const t = useText();
  const id = useId();
  const { height, boxes } = layOutPicture(scene);
  const staged = t("thief.staged");
  const fontSize = Math.min(72, 340 / measureText(staged));
  const title = t(`thief.${scene.id}.title`);
  return (
    <svg
      viewBox={`0 0 ${pictureWidth} ${height}`}
      role="img" // oxlint-disable-line jsx-a11y/prefer-tag-over-role -- drawn here, not loaded
      aria-label={t("thief.picture", { title })}
      className="block w-full font-strong"
    >
      <clipPath id={`${id}-frame`}>
        <rect width={pictureWidth} height={height} rx="16" />
      </clipPath>
      <pattern
        id={`${id}-hatch`}
        width="9"
        height="9"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <path d="M0 0v9" strokeWidth="4" className="stroke-line-strong" />
      </pattern>
      <g clipPath={`url(#${id}-frame)`}>
        <rect width={pictureWidth} height={height} className="fill-leaf" />
        {boxes.map(({ number, drawing, y, height: boxHeight }) => (
          <g key={number} transform={`translate(${edge} ${y})`}>
            <Part drawing={drawing} height={boxHeight} text={t(`thief.${scene.id}.${number}`)} />
            <PartMark
              number={number}
              height={boxHeight}
              marked={isMarked === number}
              isWrong={isRevealed && scene.parts[number - 1]?.wrong === true}
            />
          </g>
        ))}
        <text
          x={pictureWidth / 2}
          y={height / 2}
          fontSize={fontSize}
          textAnchor="middle"
          dominantBaseline="middle"
          transform={`rotate(-32 ${pictureWidth / 2} ${height / 2})`}
          className="fill-ink"
          opacity="0.09"
        >
          {staged}
        </text>
        {[0, height - bandHeight].map((y) => (
          <Band key={y} y={y} hatch={`url(#${id}-hatch)`} word={staged} />
        ))}
      </g>
      <rect
        x="1"
        y="1"
        width={pictureWidth - 2}
        height={height - 2}
        rx="15"
        fill="none"
        strokeWidth="2"
        className="stroke-line-strong"
      />
    </svg>
  );
}

function Band({ y, hatch, word }: { y: number; hatch: string; word: string }) {
  const width = measureText(word) * 14 + 28;
  return (
    <g transform={`translate(0 ${y})`}>
      <rect width={pictureWidth} height={bandHeight} className="fill-paper" />
      <rect width={pictureWidth} height={bandHeight} fill={hatch} />
      <rect
        x={(pictureWidth - width) / 2}
        width={width}
        height={bandHeight}
        className="fill-paper"
      />
      <text
        x={pictureWidth / 2}
        y={bandHeight / 2 + 5}
        fontSize="14"
        textAnchor="middle"
        className="fill-ink"
      >
        {word}
      </text>
    </g>
  );
}

interface PartMarkProps {
  number: number;
  height: number;
  marked: boolean;
  isWrong: boolean;
}

/** The number of a part, as in the list beside the picture, and its outline once it is marked. */
function PartMark({ number, height, marked, isWrong: wrong }: PartMarkProps) {
  const { formatNumber } = useIntl();
  return (
    <>
      {marked || wrong ? (
        <rect
          width={inner}
          height={height}
          rx="10"
          fill="none"
          strokeWidth="2.5"
          className={wrong ? "stroke-warning" : "stroke-ink"}
        />
      ) : null}
      <circle
        cx={inner - 16}
        cy="16"
        r="10"
        strokeWidth="1.5"
        className={cx("stroke-ink-soft", marked ? "fill-ink" : "fill-leaf")}
      />
      <text
        x={inner - 16}
        y="20.5"
        fontSize="12"
        textAnchor="middle"
        className={marked ? "fill-leaf" : "fill-ink-soft"}
      >
        {formatNumber(number)}
      </text>
    </>
  );
}

interface PartProps {
  drawing: Drawing;
  height: number;
  text: string;
}

function Part({ drawing, height, text }: PartProps) {
  if (drawing === "tail") return <Tail height={height} />;
  if (drawing === "bars") return <Bars height={height} />;
  if (drawing === "heading") return <Lines drawing={drawing} text={text} centre={height / 2} />;
  return (
    <>
      <path d={toOutline(drawing, height)} className="fill-well" />
      {drawing === "request" ? (
        <path
          d="M27 14l11 4v8c0 7-5 11-11 13-6-2-11-6-11-13v-8z"
          fill="none"
          strokeWidth="1.5"
          strokeLinejoin="round"
          className="stroke-ink-soft"
        />
      ) : null}
      {drawing === "progress" ? (
        <>
          <rect x="12" y={height - 18} width={inner - 24} height="6" rx="3" className="fill-line" />
          <rect
            x="12"
            y={height - 18}
            width={(inner - 24) * 0.91}
            height="6"
            rx="3"
            className="fill-ink-soft"
          />
        </>
      ) : null}
      <Lines
        drawing={drawing}
        text={text}
        centre={
          drawing === "request"
            ? height / 2 + 18
            : drawing === "progress"
              ? height / 2 - 10
              : height / 2
        }
      />
    </>
  );
}

/** A box; a speech bubble has one sharp corner, a wallet's own window two. */
function toOutline(drawing: Drawing, height: number): string {
  const right = inner;
  if (drawing === "bubble")
    return `M12 0H${right - 12}a12 12 0 0 1 12 12V${height - 12}a12 12 0 0 1 -12 12H0V12a12 12 0 0 1 12 -12z`;
  if (drawing === "request")
    return `M16 0H${right - 16}a16 16 0 0 1 16 16V${height}H0V16a16 16 0 0 1 16 -16z`;
  return `M8 0H${right - 8}a8 8 0 0 1 8 8V${height - 8}a8 8 0 0 1 -8 8H8a8 8 0 0 1 -8 -8V8a8 8 0 0 1 8 -8z`;
}

function Lines({ drawing, text, centre }: { drawing: Drawing; text: string; centre: number }) {
  const { locale } = useIntl();
  const shape = getTextShape(drawing);
  if (!shape) return null;
  const lines = wrapPart(text, shape, locale);
  const step = shape.size * 1.3;
  const first = centre - ((lines.length - 1) * step) / 2 + shape.size * 0.35;
  return (
    <text fontSize={shape.size} className={drawing === "heading" ? "fill-ink-soft" : "fill-ink"}>
      {lines.map((line, index) => (
        <tspan key={line} x="12" y={first + index * step}>
          {line}
        </tspan>
      ))}
    </text>
  );
}

/** Above the entry price until the last second, then far below it. */
function Tail({ height }: { height: number }) {
  return (
    <g fill="none">
      <rect width={inner} height={height} rx="8" className="fill-well" />
      <path d="M12 66H276" strokeDasharray="4 4" className="stroke-ink-faint" />
      <path
        d="M12 66 34 58 54 61 76 44 98 48 120 34 142 40 164 30 186 36 208 26 230 31 250 27 254 104 258 104"
        strokeWidth="2"
        strokeLinejoin="round"
        className="stroke-ink"
      />
      <circle cx="258" cy="104" r="3.5" className="fill-ink" />
    </g>
  );
}

/** The same gain on each of seven days. */
function Bars({ height }: { height: number }) {
  const { formatNumber } = useIntl();
  const gain = formatNumber(0.018, {
    style: "percent",
    maximumFractionDigits: 1,
  });
  return (
    <>
      <rect width={inner} height={height} rx="8" className="fill-well" />
      {[0, 1, 2, 3, 4, 5, 6].map((day) => (
        <g key={day} transform={`translate(${8 + day * 36} 0)`}>
          <rect x="6" y="54" width="24" height="50" rx="2" className="fill-line-strong" />
          <text x="18" y="46" fontSize="10" textAnchor="middle" className="fill-ink">
            {gain}
          </text>
        </g>
      ))}
    </>
  );
}
