/** Creates 32 random bytes for a new practice wallet. Works outside a secure context. */
export function createWalletSeed(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(32));
}
