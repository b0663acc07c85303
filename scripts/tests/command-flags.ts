import { type ParseArgsConfig, parseArgs } from "node:util";

/** What was typed after a command of the tests; one that it does not take ends it, with how it is used. */
export function readFlags<Options extends NonNullable<ParseArgsConfig["options"]>>(options: Options, usage: string) {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
}
