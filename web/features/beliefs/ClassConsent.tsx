import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/**
 * Consent to the class counting the person's stated confidence; nothing for people without a class.
 */
export const ClassConsent = lazyComponent<{ onlyAgreed?: boolean }>(
  () => import("#web/features/beliefs/ClassConsentBody.tsx"),
  ["beliefs"],
  null,
);
