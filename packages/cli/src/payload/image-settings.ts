import { InvalidArgumentError } from "commander";

/** `VARIABLE=IMAGE`, each for an image that the storage operator has by that variable. */
export function imagesByVariable(settings: readonly string[]): Record<string, string> {
  return Object.fromEntries(settings.map(parseSetting));
}

function parseSetting(setting: string): [string, string] {
  const { variable, image } = /^(?<variable>[A-Z][A-Z0-9_]*)=(?<image>.*)$/u.exec(setting)?.groups ?? {};
  if (variable === undefined || image === undefined) {
    throw new InvalidArgumentError(`--set-image takes VARIABLE=IMAGE, not ${JSON.stringify(setting)}`);
  }
  return [variable, image];
}
