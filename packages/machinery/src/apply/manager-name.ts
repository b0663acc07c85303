const maxBytes = 128;

/** The manager of a write that names none: what the client calls itself, up to the first slash. */
export function managerName(fieldManager: string | undefined, userAgent: string): string {
  if (fieldManager !== undefined && fieldManager !== "") return fieldManager;
  const [program = ""] = userAgent.split("/");
  let name = "";
  for (const character of program.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, "")) {
    if (Buffer.byteLength(name + character) > maxBytes) break;
    name += character;
  }
  return name;
}
