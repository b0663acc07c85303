/** The files that operators carry. */
export { readAssetFolder } from "./asset-folder.ts";
