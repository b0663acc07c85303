// Makes the bundle that `stowage` runs from; bootstrap/bundle.js asks for it when there is none of the present sources. Of a
// failure it says one line: the sources are run then, which say more.
import { stripVTControlCharacters } from "node:util";
import { buildBundle } from "./bundle/build-bundle.ts";

try {
  await buildBundle();
} catch (error) {
  const [first = error] = (error as { errors?: readonly unknown[] }).errors ?? [];
  const words = first instanceof Error ? first.message : String(first);
  console.error(stripVTControlCharacters(words).split("\n", 1)[0]);
  process.exitCode = 1;
}
