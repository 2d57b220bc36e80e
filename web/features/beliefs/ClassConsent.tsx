import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";

/** Consent to one's class counting how sure one was; nothing for people in no class. */
export const ClassConsent = lazyComponent<{ onlyAgreed?: boolean }>(
  () => import("#web/features/beliefs/ClassConsentBody.tsx"),
  ["beliefs"],
  null,
);
