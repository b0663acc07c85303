import { errorCatalogue } from "@stowage/machinery";

/** The pages under docs/reference that tables in the sources say. */
export async function generateReferencePages(): Promise<Map<string, string>> {
  return new Map([["docs/reference/errors.md", errorPage()]]);
}

function errorPage(): string {
  const lines = [
    "# Errors",
    "",
    "<!-- Generated from packages/machinery/src/errors/catalogue.ts by `npm run generate`. Do not edit. -->",
    "",
    "Every error that Stowage raises on purpose carries one of these codes.",
    "",
    "| code | what happened | what to do |",
    "|---|---|---|",
    ...Object.entries(errorCatalogue)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, { summary, nextStep }]) => `| \`${code}\` | ${summary} | ${nextStep} |`),
    "",
  ];
  return lines.join("\n");
}
