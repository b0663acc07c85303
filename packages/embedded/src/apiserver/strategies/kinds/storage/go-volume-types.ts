import { GoTypes, volumeTypes } from "../go-types/index.ts";

export const goTypes: GoTypes = new GoTypes(volumeTypes);
