/** Has claims looked at whose volumes somebody else is to fill: the validator of their sources, by the originals' image. */
export { validatorImageVariable, validatorObjects } from "./validator-assets.ts";
export { validatorControllers } from "./validator-controllers.ts";
