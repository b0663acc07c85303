export type TokenKind = "end" | "identifier" | "in" | "notin" | "(" | ")" | "," | "!" | "==" | "=" | "!=" | ">" | "<";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const fixedTokens: ReadonlySet<string> = new Set<TokenKind>([
  "in",
  "notin",
  "(",
  ")",
  ",",
  "!",
  "==",
  "=",
  "!=",
  ">",
  "<",
]);

/** White space, a token (with the NUL behind it, if any), or a NUL. */
const piecePattern = /[ \t\r\n]+|(==|!=|[=!(),<>]|[^ \t\r\n=!(),<>\0]+)\0?|\0/g;

/**
 * Cuts a label selector into tokens, the last of which is always an `end`. To Kubernetes a NUL is the end of the text, unless
 * it directly follows a token, which swallows it.
 */
export function labelTokens(selector: string): Token[] {
  const tokens: Token[] = [];
  for (const [piece, text] of selector.matchAll(piecePattern)) {
    if (piece === "\0") break;
    if (text !== undefined) tokens.push({ kind: isFixed(text) ? text : "identifier", text });
  }
  return [...tokens, { kind: "end", text: "" }];
}

function isFixed(text: string): text is TokenKind {
  return fixedTokens.has(text);
}
