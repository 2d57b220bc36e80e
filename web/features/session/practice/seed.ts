/** 32 bytes of chance for a new practice wallet. Works without a secure context. */
export function newSeed(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(32));
}
