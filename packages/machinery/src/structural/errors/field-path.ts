/** Paths of fields are texts. The empty one is the object itself. */
export function child(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

export function keyed(path: string, key: string): string {
  return `${path}[${key}]`;
}

export function indexed(path: string, index: number): string {
  return `${path}[${index}]`;
}
