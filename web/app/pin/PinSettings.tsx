import { lazyPart } from "#web/app/lazyPart.tsx";

/** The row of a settings section that sets, changes or removes the PIN; for who is signed in. */
export const PinSettings = lazyPart(() => import("#web/app/pin/PinSettingsRow.tsx"), ["pin"]);
