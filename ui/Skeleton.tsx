import { useText } from "#i18n/useText.ts";
import { cx } from "#ui/cx.ts";

/**
 * Placeholder for content that is loading: a box of the given size (CSS lengths), so that nothing
 * shifts when it arrives.
 */
export function Skeleton({
  width = "100%",
  height = "1em",
  className,
}: {
  width?: string;
  height?: string;
  className?: string;
}) {
  return (
    <span
      aria-hidden="true"
      className={cx("skeleton inline-block rounded-[4px] bg-well align-middle", className)}
      style={{ width, height }}
    />
  );
}

/**
 * Placeholder rows for a list that is loading, 56 px high or 60 px with `tall`; announced once to
 * assistive technology.
 */
export function SkeletonRows({ count = 4, tall = false }: { count?: number; tall?: boolean }) {
  const t = useText();
  return (
    <output data-waits="" className="block">
      <span className="sr-only">{t("ui.loading")}</span>
      <span className="hairlines block">
        {Array.from({ length: count }, (_, index) => `row-${index}`).map((key) => (
          <span
            key={key}
            className={cx(
              "flex items-center justify-between gap-6 px-4",
              tall ? "min-h-15" : "min-h-14",
            )}
          >
            <Skeleton width="7.5rem" height="0.8rem" />
            <Skeleton width="4.5rem" height="0.8rem" />
          </span>
        ))}
      </span>
    </output>
  );
}
