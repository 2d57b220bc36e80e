import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** How sure the person is, and why, if they want to say so. */
export const BeliefField = lazyComponent(
  () => import("#web/features/beliefs/BeliefFieldBody.tsx"),
  ["beliefs"],
  null,
);
