/** Whether the text can stand in an Authorization header: visible ASCII, no spaces. */
export function isBearerToken(text: string): boolean {
  return /^[\u0021-\u007e]+$/.test(text);
}
