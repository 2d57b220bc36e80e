import { getUserInfo } from "#api/routes/session.ts";
import { findSessionSigner } from "#web/features/session/signerOfSession.ts";
import { prepareMessage, signAndEnter } from "#web/features/session/signInFlow.ts";
import { client } from "#web/lib/api/client.ts";

/**
 * Signs in again with the wallet of this session, for calls that require a recent sign-in. Returns
 * false when that wallet is not in this browser or now has another account: signing in would change
 * the account. Throws when the wallet answers after the attempt is no longer the latest; the wallet
 * may also never answer.
 */
export async function signInAgain(isLatest: () => boolean): Promise<boolean> {
  const signer = await findSessionSigner();
  if (!signer) return false;
  const { data } = await client.call(getUserInfo, {});
  if (data.address?.toLowerCase() !== signer.address.toLowerCase()) return false;
  await signAndEnter(await prepareMessage(signer), isLatest);
  return true;
}
