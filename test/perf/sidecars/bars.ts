/** The bars of the bench, each printed when it is judged. */
export class Bars {
  readonly #missed: string[] = [];

  get areMet(): boolean {
    return this.#missed.length === 0;
  }

  get missed(): readonly string[] {
    return this.#missed;
  }

  atMost(what: string, value: number, limit: number): void {
    this.#judge(what, value, { limit, isMet: value <= limit, wanted: `at most ${limit}` });
  }

  atLeast(what: string, value: number, limit: number): void {
    this.#judge(what, value, { limit, isMet: value >= limit, wanted: `at least ${limit}` });
  }

  #judge(what: string, value: number, bar: { limit: number; isMet: boolean; wanted: string }): void {
    if (!bar.isMet) this.#missed.push(what);
    const ratio = bar.limit === 0 ? "" : ` (ratio ${(value / bar.limit).toFixed(3)})`;
    console.log(`${bar.isMet ? "ok    " : "MISSED"} ${what}: ${shown(value)}, ${bar.wanted}${ratio}`);
  }
}

function shown(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 3 : 1);
}
