/** Where Pods look for what is kubelet's. */
export const kubeletFolder = "/var/lib/kubelet";

/**
 * Several nodes share a machine, and none of them is the machine's own: what Pods of a node call `/var/lib/kubelet` is that node's folder.
 * Paths that are not listed are the machine's.
 */
export class HostView {
  readonly #places: readonly (readonly [named: string, real: string])[];

  /** From what Pods name to where it is. */
  constructor(places: Readonly<Record<string, string>> = {}) {
    this.#places = Object.entries(places);
  }

  /** Where a path is that a Pod of the node names. */
  onMachine(path: string): string {
    return moved(path, this.#places);
  }

  /** What a Pod of the node calls a path of the machine. */
  inPods(path: string): string {
    return moved(
      path,
      this.#places.map(([named, real]) => [real, named]),
    );
  }
}

function moved(path: string, places: readonly (readonly [from: string, to: string])[]): string {
  const place = places.find(([from]) => path === from || path.startsWith(`${from}/`));
  return place === undefined ? path : place[1] + path.slice(place[0].length);
}
