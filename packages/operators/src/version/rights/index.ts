/** The role that the version operator needs for a payload, worked out of its objects: `version-operator-rules.ts`. */
export { type VersionOperatorRules, versionOperatorRules } from "./version-operator-rules.ts";
