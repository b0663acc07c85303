/**
 * What goes when the operand is removed. `removable.ts` ties a controller's finalizer to what it made; `ordered-deletion.ts` says in
 * which order that goes.
 */
export {
  createOrderedDeletion,
  deletionOrder,
  type OrderedDeletion,
  type RemovalProgress,
} from "./ordered-deletion.ts";
export { type RemovableOptions, removable } from "./removable.ts";
