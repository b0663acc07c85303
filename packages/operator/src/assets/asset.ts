/** A file that an operator carries: its name is what failures are told by. */
export interface Asset {
  readonly name: string;
  readonly text: string;
}
