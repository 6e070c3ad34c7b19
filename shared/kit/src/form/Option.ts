/** One entry of a select. */
export interface Option<T extends string = string> {
  readonly value: T
  readonly label: string
}
