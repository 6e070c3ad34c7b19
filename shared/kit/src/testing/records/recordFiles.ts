import type { Declaration } from '@dmp/contract/remote'

/** What `shared/build/jest/records.mjs` gives the page: it alone has files and a loop. */
interface RecordFiles {
  readonly isAccepting: boolean
  readonly declaration: () => Declaration
  readonly list: () => string[]
  readonly read: (name: string) => string
  readonly write: (name: string, text: string) => void
  readonly remove: (name: string) => void
  readonly turn: () => Promise<void>
}

export const recordFiles = (): RecordFiles => (globalThis as unknown as { readonly dmpRecords: RecordFiles }).dmpRecords
