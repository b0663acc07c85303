import manifest from "../../package.json" with { type: "json" };

export const defaultUserAgent = `stowage/${manifest.version} (${process.platform}/${process.arch})`;
