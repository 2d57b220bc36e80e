import { Skeleton, SkeletonRows } from "#ui/Skeleton.tsx";

/** Shown while a screen's code loads: its bar and a few rows, so that nothing shifts. */
export function ScreenLoading() {
  return (
    <div className="mx-auto w-full max-w-120">
      <div className="flex min-h-14 items-center px-4">
        <Skeleton width="9rem" height="1.1rem" />
      </div>
      <SkeletonRows count={5} />
    </div>
  );
}
