import { imagesByVariable } from "./image-settings.ts";

/** The validator of data sources is not ours: it is left out unless somebody names an image of it. As `--set-image` takes it. */
export const missingImageSetting = "VOLUME_DATA_SOURCE_VALIDATOR_IMAGE=";

/** The same by variable. */
export const missingImages: Readonly<Record<string, string>> = imagesByVariable([missingImageSetting]);
