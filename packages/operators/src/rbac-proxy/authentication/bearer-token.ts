/** The token of an `Authorization` header; undefined when there is none, or another kind of credentials. */
export function bearerToken(authorization: string | undefined): string | undefined {
  const [, token] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
  return token;
}
