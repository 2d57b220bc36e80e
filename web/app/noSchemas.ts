/**
 * Stands in for `zod/mini` in the browser's bundle: the wire's schemas are the server's to check, and 10 KB are saved by
 * leaving their code out. Every maker gives the same inert schema. What the browser itself must check (a receipt, a leaf)
 * has its own reader in `core`.
 */
interface Inert {
  check(): Inert;
  shape: Record<string, Inert>;
}

const inert: Inert = { check: () => inert, shape: {} };
const make = (): Inert => inert;

export const number = make;
export const object = make;
export const int = make;
export const string = make;
export const nullable = make;
export const array = make;
export const boolean = make;
export const maxLength = make;
export const minLength = make;
export const literal = make;
export const optional = make;
export const regex = make;
export const record = make;
export const _default = make;
export const tuple = make;
export const minimum = make;
export const maximum = make;
export const unknown = make;
export const union = make;
export const stringbool = make;
export const extend = make;
export const discriminatedUnion = make;
export const coerce = { number: make };
export { make as enum, make as null };
