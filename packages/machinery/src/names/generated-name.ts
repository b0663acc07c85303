/** Without vowels and look-alikes, so that no words form and nothing is misread. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

const nameMaxLength = 63;
const suffixLength = 5;

/** `random` gives numbers from 0 up to but not including 1, as `Math.random` does. */
export function randomSuffix(random: () => number, length: number = suffixLength): string {
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
}

/** The name that the API server gives to an object with `metadata.generateName`; a long base is cut, not refused. */
export function generateName(base: string, random: () => number): string {
  return base.slice(0, nameMaxLength - suffixLength) + randomSuffix(random);
}

/** Spells a hash with the same letters, as Kubernetes does for `pod-template-hash`. */
export function safeEncode(text: string): string {
  return Array.from(text, (letter) => alphabet[(letter.codePointAt(0) ?? 0) % alphabet.length]).join("");
}
