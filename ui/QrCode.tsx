import { cx } from "#ui/cx.ts";
import { createQrPath } from "#ui/qrPath.ts";

/** A QR code of `text`, dark on white in every theme, because readers expect that. */
export function QrCode({
  text,
  label,
  className,
}: {
  text: string;
  /** A description of the code, for those who cannot see it. */
  label: string;
  className: string;
}) {
  const { size, path } = createQrPath(text);
  return (
    <svg
      role="img" // oxlint-disable-line jsx-a11y/prefer-tag-over-role -- drawn here, not loaded
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={cx("max-w-full rounded-[6px]", className)}
      style={{ background: "#fff" }}
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
