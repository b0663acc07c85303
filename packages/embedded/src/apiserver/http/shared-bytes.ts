/** As many events as may be on their way to different watchers at the same time. */
const mostTexts = 64;

/** Texts as bytes. Many watchers are sent the same line: it is encoded once, and all of them wait with the same bytes. */
export class SharedBytes {
  readonly #known = new Map<string, Buffer>();

  of(text: string): Buffer {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const bytes = Buffer.from(text);
    this.#known.set(text, bytes);
    const [oldest = text] = this.#known.keys().take(1);
    if (this.#known.size > mostTexts) this.#known.delete(oldest);
    return bytes;
  }
}
