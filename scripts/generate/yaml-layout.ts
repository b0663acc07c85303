import { dump } from "js-yaml";

/** As biome lays it out; lists and maps from this depth on are on one line. */
export function yamlText(object: object, flowLevel = -1): string {
  const text = dump(object, { lineWidth: 120, noRefs: true, quoteStyle: "double", flowLevel });
  return text.replaceAll(/: "((?:[^"'\\]|\\")*\\"(?:[^"'\\]|\\")*)"$/gmu, (_, quoted: string) => {
    return `: '${quoted.replaceAll('\\"', '"')}'`;
  });
}
