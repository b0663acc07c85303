/**
 * What the server does with definitions of resources by itself. `definition-conditions.ts` decides what a definition is told about
 * itself, `definition-cleanup.ts` how it goes; `DefinitionController` follows the store, has resources served as soon as their
 * definition is established, and writes what was decided.
 */
export { DefinitionController } from "./definition-controller.ts";
