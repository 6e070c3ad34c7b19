import type { DashboardCard } from '@dmp/contract/remote'

/** A row of the palette. */
export interface Item {
  /** Who offers it, and what it leads to. */
  readonly id: string
  readonly text: string
  readonly note?: string | undefined
  readonly when?: string | undefined
  /** Words that find it, too. */
  readonly words?: string | undefined
  /** The keys that do the same. */
  readonly keys?: string | undefined
  /** What a person needs to see it. */
  readonly needs:
    | DashboardCard['needs']
    | { readonly module?: string | undefined; readonly action?: string | undefined }
  readonly to?: string
  readonly run?: () => void
}

export interface Group {
  readonly id: string
  readonly title: string
  readonly items: readonly Item[]
  /** Not answered for what is typed now. */
  readonly isWaiting: boolean
  /** There are more than these, which other words would find. */
  readonly hasMore?: boolean | undefined
  /** Where was looked, if not everywhere. */
  readonly place?: string | undefined
  /** Why there is no answer. */
  readonly failure?: string | undefined
}
