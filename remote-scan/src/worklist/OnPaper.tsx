import { useSyncExternalStore } from 'react'
import { dataWord } from '@dmp/kit'
import { formatDate } from '@dmp/kit/screen'
import { toSpanText } from './Chip.tsx'
import type { Filters, WorklistState } from './worklistState.ts'

/** Stays the same between two printings, as React asks of what it reads from outside. */
let printedAt = new Date().toISOString()

/** The browser tells it before it draws the pages. */
function watchPrinting(onChange: () => void): () => void {
  const note = (): void => {
    printedAt = new Date().toISOString()
    onChange()
  }
  note()
  addEventListener('beforeprint', note)
  return () => removeEventListener('beforeprint', note)
}

interface OnPaperProps {
  readonly organizationName: string
  readonly state: WorklistState
}

/** What the screen says around the list, for paper: whose list it is, of when, and what narrows it. */
export function OnPaper({ organizationName, state: { search, filters } }: OnPaperProps) {
  const date = useSyncExternalStore(watchPrinting, () => printedAt)
  const words = search.trim()
  return (
    <ul className="worklist-on-paper">
      <li>
        <bdi>{organizationName}</bdi>
      </li>
      <li>Printed {formatDate(date, 'moment')}</li>
      {words !== '' && (
        <li>
          Search: <bdi>{words}</bdi>
        </li>
      )}
      {listFilters(filters).map(([title, value]) => (
        <li key={title}>{value === '' ? title : `${title}: ${value}`}</li>
      ))}
    </ul>
  )
}

/** In the order of their chips. */
function listFilters(filters: Filters): readonly (readonly [string, string])[] {
  const choice = (value: string | undefined): string =>
    (value ?? '').split(',').filter(Boolean).map(dataWord).join(', ')
  const span = (from: string | undefined, to: string | undefined): string =>
    toSpanText(formatDate(from ?? '', 'short'), formatDate(to ?? '', 'short'))
  const toggles: [boolean, string][] = [
    [filters.isNew === 'true', 'New'],
    [filters.isShared === 'true', 'Shared'],
    [filters.isMine === 'true', 'Opened by me'],
  ]
  const values: [string, string][] = [
    ['Modality', choice(filters.modality)],
    ['Study date', span(filters.studyFrom, filters.studyTo)],
    ['Received', span(filters.receivedFrom, filters.receivedTo)],
    ['Body part', choice(filters.bodyPart)],
    ['Source', choice(filters.source)],
    ['SaaS', choice(filters.saas)],
  ]
  return [
    ...toggles.flatMap(([isOn, title]) => (isOn ? [[title, ''] as const] : [])),
    ...values.filter(([, value]) => value !== ''),
  ]
}
