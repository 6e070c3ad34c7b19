/** What a thread draws: pages of one host with one remote, in one language. */
export interface PagesToDraw {
  readonly language: string
  /** As pages carry them. */
  readonly snapshot: string
  /** By the kind of page. */
  readonly settings: Readonly<Record<DrawnKind, string>>
  /** Addresses of the host's first scripts, in their order. */
  readonly scripts: readonly string[]
  /** Every script and text of both, by its address. */
  readonly files: ReadonlyMap<string, string>
  readonly paths: readonly string[]
}

/** Pages of a demo show its accounts. */
export const drawnKinds = ['plain', 'demo'] as const
export type DrawnKind = (typeof drawnKinds)[number]

/** The markup of an address by kind, or why there is none. */
export type DrawnHere = Readonly<Record<string, Readonly<Record<DrawnKind, string>> | { readonly problem: string }>>
