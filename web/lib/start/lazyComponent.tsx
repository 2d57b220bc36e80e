import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { loadMessages } from "#i18n/load.ts";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { loadWithTimeout } from "#web/lib/start/loadWithTimeout.ts";

/**
 * A part of a screen as a separate chunk, with the messages of its domains; skeleton rows, or
 * `meanwhile` (nothing, for a sheet not open yet), stand in while it loads. A load failure goes to
 * the screen's own error boundary. tools/checks/screens.test.ts reads the domains from the call.
 * One catalogue per language would be a twelfth of the first load, most of it messages of screens
 * that are not open.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  domains: readonly string[],
  meanwhile: ReactNode = <SkeletonRows count={5} />,
): ComponentType<Props> {
  const loadBoth = async () => {
    const [part] = await Promise.all([load(), loadMessages(domains)]);
    return part;
  };
  const Part = lazyWithLimit(loadBoth);
  return function LazyComponent(props: Props) {
    return (
      <Suspense fallback={meanwhile}>
        <Part {...props} />
      </Suspense>
    );
  };
}

/** React's `lazy` with the limit of 120 s, after which it throws a `ChunkError`. */
export function lazyWithLimit<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  return lazy(() => loadWithTimeout(load)) as unknown as ComponentType<Props>;
}
