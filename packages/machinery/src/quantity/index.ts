/**
 * Resource quantities: `500m`, `1.5Gi`, `10e6`.
 *
 * `Quantity` is an exact, immutable number that reads, computes and prints as Kubernetes' own does; read it first. Behind it:
 * `grammar.ts` reads text, `canonical-form.ts` writes it, `suffixes.ts` holds the units that both share.
 */
export { InvalidQuantityError } from "./invalid-quantity-error.ts";
export { Quantity } from "./quantity.ts";
export type { QuantityFormat } from "./suffixes.ts";
