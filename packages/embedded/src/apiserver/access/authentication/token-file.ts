import { StowageError } from "@stowage/machinery";
import type { ApiUser } from "../../verbs/api-request.ts";

/** Users by their token. */
export type StaticTokens = ReadonlyMap<string, ApiUser>;

/** The tokens of a file: `token,user,uid,"group1,group2"` in each line, groups optional. The last of several equal tokens counts. */
export function parseTokenFile(text: string): StaticTokens {
  const tokens = new Map<string, ApiUser>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === "") continue;
    const [token = "", name, uid, groups] = columns(line);
    // The line is named and not shown: it holds a secret.
    if (name === undefined || uid === undefined) {
      const message = `Line ${index + 1} of the token file has fewer than three columns: token, user name and user uid`;
      throw new StowageError("CREDENTIALS_UNUSABLE", message);
    }
    if (token === "") continue;
    tokens.set(token, { name, ...(uid !== "" && { uid }), groups: groups === undefined ? [] : groups.split(",") });
  }
  return tokens;
}

/** Between commas; in quotes a comma is one of the text, and a doubled quote is a quote. */
function columns(line: string): string[] {
  return [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"(?=,|$)|([^,]*))/g)].map(([, quoted, plain = ""]) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  );
}
