import type { JsonValue } from "../../patches/json-value.ts";

/** Whether a value has more levels than that. Walks without recursion, so that no value can exhaust the stack before it is told. */
export function isNestedDeeperThan(value: JsonValue, most: number): boolean {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    const next: JsonValue[] = [];
    for (const one of level) {
      if (typeof one !== "object" || one === null) continue;
      for (const part of Array.isArray(one) ? one : Object.values(one)) {
        if (typeof part === "object" && part !== null) next.push(part);
      }
    }
    level = next;
  }
  return false;
}
