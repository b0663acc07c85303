import { badRequest } from "../../answers/index.ts";

/** Where a list goes on. */
interface ContinuePoint {
  /** The list is as it was at this revision; negative when it may be as it is now. */
  readonly revision: number;
  /** The first key that may come, after what all keys of the list begin with. */
  readonly start: string;
}

const tokenVersion = "meta.k8s.io/v1";

/** The same form as the real server has, though no client may look into it. */
export function continueToken({ revision, start }: ContinuePoint): string {
  return Buffer.from(JSON.stringify({ v: tokenVersion, rv: revision, start })).toString("base64url");
}

export function continuePoint(token: string): ContinuePoint {
  const illegalAt = illegalByte(token);
  if (illegalAt !== undefined) throw notValid(`: illegal base64 data at input byte ${illegalAt}`);
  const { v = "", rv = 0, start = "" } = decoded(Buffer.from(token, "base64url").toString());
  if (v !== tokenVersion) throw notValid(`: server does not recognize this encoded version ${v}`);
  if (rv === 0) throw notValid(": incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  if (start === "") throw notValid(": encoded start key empty (version meta.k8s.io/v1)");
  // A client must not get to keys outside of its list.
  const key = start.replace(/^\//u, "");
  if (key.split("/").some((part) => part === "" || part === "." || part === "..")) throw notValid(`: ${start}`);
  return { revision: rv, start: key };
}

function notValid(why: string) {
  return badRequest(`invalid continue token: continue key is not valid${why}`);
}

function illegalByte(token: string): number | undefined {
  const illegal = token.search(/[^\w-]/u);
  if (illegal >= 0) return illegal;
  return token.length % 4 === 1 ? token.length - 1 : undefined;
}

function decoded(text: string): { readonly v?: string; readonly rv?: number; readonly start?: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const first = JSON.stringify(text.charAt(0)).slice(1, -1);
    throw notValid(
      text === "" ? ": unexpected end of JSON input" : `: invalid character '${first}' looking for beginning of value`,
    );
  }
  const { v, rv, start } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return {
    ...(typeof v === "string" && { v }),
    ...(Number.isInteger(rv) && { rv: Number(rv) }),
    ...(typeof start === "string" && { start }),
  };
}
