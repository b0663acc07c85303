// `Uint8Array.prototype.setFromBase64` for Node 24; later versions have it. The protobuf library decodes its descriptors with it
// where it is there. Its own loop instead would be the only thing hot enough at the start for V8 to bring its optimising compiler
// in, whose code alone is 5 MB of memory.

interface Base64Target extends Uint8Array {
  setFromBase64?: (text: string) => { readonly read: number; readonly written: number };
}

const target: Base64Target = Uint8Array.prototype;
if (target.setFromBase64 === undefined) {
  Object.defineProperty(target, "setFromBase64", { value: setFromBase64, configurable: true, writable: true });
}

/** The plain alphabet and the whole text only: it refuses what it cannot do, and callers have to expect refusals. */
function setFromBase64(this: Uint8Array, text: string): { read: number; written: number } {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new SyntaxError("the text is not base64 of the plain alphabet");
  const bytes = Buffer.from(text, "base64");
  if (bytes.length > this.length) throw new RangeError("the text is longer than the array");
  this.set(bytes);
  return { read: text.length, written: bytes.length };
}
