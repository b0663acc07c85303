/** Why a Pod has failed whatever its containers say. */
export interface PodFailure {
  readonly reason: string;
  readonly message: string;
}
