const START = '"managedFields":[{';
const KEPT_OF_START = START.length - 1;
const END = "}]";
/** Stands for what was cut out. A real list holds objects. */
const MARK = 0;

/**
 * Decodes a watch event with an empty list in place of `metadata.managedFields`, whose text is cut out beforehand: it is about
 * half of a typical object, and decoding it only to drop it costs as much as the rest.
 *
 * The cut is a guess by text, and checked afterwards. If it ended inside a string, the rest has an odd number of quotes or a
 * backslash outside of one; if it ended at a nested list, the rest closes more than it opens: neither is JSON. If it was made at
 * another field of the same name, the mark that it leaves is not in `metadata.managedFields`. In each case the whole text is decoded.
 */
export function decodeWithoutManagedFields(text: string): unknown {
  const start = text.indexOf(START);
  if (start < 0) return JSON.parse(text);
  const end = text.indexOf(END, start);
  if (end < 0) return JSON.parse(text);
  const cut = decodeOrUndefined(`${text.slice(0, start + KEPT_OF_START)}${MARK}${text.slice(end + 1)}`);
  const metadata = cut?.object?.metadata;
  if (metadata?.managedFields?.[0] !== MARK) return JSON.parse(text);
  metadata.managedFields = [];
  return cut;
}

interface MaybeEvent {
  readonly object?: { readonly metadata?: { managedFields?: unknown[] } };
}

function decodeOrUndefined(text: string): MaybeEvent | undefined {
  try {
    return JSON.parse(text) as MaybeEvent;
  } catch {
    return undefined; // The cut was wrong: the caller decodes the whole text, and that decides.
  }
}
