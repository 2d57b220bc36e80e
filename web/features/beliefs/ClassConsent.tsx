import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/**
 * Asks whether the class may count the person's stated confidence; renders nothing for people
 * without a class.
 */
export const ClassConsent = lazyComponent<{ onlyAgreed?: boolean }>(
  () => import("#web/features/beliefs/ClassConsentBody.tsx"),
  ["beliefs"],
  null,
);
