/** Lets in so many at a time; the others wait until somebody leaves. */
export interface Turnstile {
  inside<T>(work: () => Promise<T>): Promise<T>;
}

export function createTurnstile(places: number): Turnstile {
  let free = places;
  const waiting: (() => void)[] = [];
  const enter = async () => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  return {
    async inside(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
