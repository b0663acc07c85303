/** The end of a namespace: `namespace-controller.ts`, `content-deletion.ts`, and `namespace-conditions.ts`, which tell how far it is. */
export { createNamespaceController } from "./namespace-controller.ts";
