import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { loadMessages } from "#i18n/load.ts";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { loadInTime } from "#web/lib/start/loadInTime.ts";

/**
 * A part of a screen as a chunk of its own, with the messages of its domains; rows stand in its
 * place while it loads, or `meanwhile` (nothing, for a sheet that is not open yet). What fails to
 * load is said by the screen's own boundary. tools/checks/screens.test.ts reads the domains from
 * the call. One catalogue a language would be a twelfth of the first load, most of it words of
 * screens that are not open.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  domains: readonly string[],
  meanwhile: ReactNode = <SkeletonRows count={5} />,
): ComponentType<Props> {
  const both = async () => {
    const [part] = await Promise.all([load(), loadMessages(domains)]);
    return part;
  };
  const Part = lazy(() => loadInTime(both)) as unknown as ComponentType<Props>;
  return function LazyComponent(props: Props) {
    return (
      <Suspense fallback={meanwhile}>
        <Part {...props} />
      </Suspense>
    );
  };
}
