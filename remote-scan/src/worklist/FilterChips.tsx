import { scan } from '@dmp/contract'
import { saasNames } from '@dmp/contract/organization'
import { useLookup } from '@dmp/kit'
import { Button } from '@dmp/kit/ui'
import { ChoiceChip, DaysChip } from './Chip.tsx'
import { isNarrowed, type FilterName, type WorklistState } from './worklistState.ts'

interface FilterChipsProps {
  readonly state: WorklistState
  readonly organizationId: string
  readonly onChange: (changes: Partial<WorklistState>) => void
}

const toggles: readonly [FilterName, string][] = [
  ['isNew', 'New'],
  ['isShared', 'Shared'],
  ['isMine', 'Opened by me'],
]

/** What narrows the list, each a chip that says what is chosen. */
export function FilterChips({ state, organizationId, onChange }: FilterChipsProps) {
  const { data: kinds } = useLookup(scan.getStudyKinds, { organizationId })
  const { filters } = state
  const set = (changes: Partial<Record<FilterName, string | undefined>>) =>
    onChange({
      filters: Object.fromEntries(Object.entries({ ...filters, ...changes }).filter(([, value]) => value)),
    })
  const choice = (name: FilterName, title: string, options: readonly string[]) => (
    <ChoiceChip
      title={title}
      options={options}
      chosen={filters[name]?.split(',') ?? []}
      onChange={(chosen) => set({ [name]: chosen.join(',') })}
    />
  )
  const days = (title: string, from: FilterName, to: FilterName) => (
    <DaysChip
      title={title}
      from={filters[from] ?? ''}
      to={filters[to] ?? ''}
      onChange={(first, last) => set({ [from]: first, [to]: last })}
    />
  )
  return (
    <div className="worklist-chips" role="group" aria-label="Filters">
      {toggles.map(([name, title]) => (
        <button
          key={name}
          type="button"
          className="worklist-chip"
          aria-pressed={filters[name] === 'true'}
          onClick={() => set({ [name]: filters[name] ? undefined : 'true' })}
        >
          {title}
        </button>
      ))}
      {choice('modality', 'Modality', kinds?.modalities ?? [])}
      {days('Study date', 'studyFrom', 'studyTo')}
      {days('Received', 'receivedFrom', 'receivedTo')}
      {choice('bodyPart', 'Body part', kinds?.bodyParts ?? [])}
      {choice('source', 'Source', kinds?.sources ?? [])}
      {choice('saas', 'SaaS', saasNames)}
      {isNarrowed(state) && (
        <Button type="link" size="small" onClick={() => onChange({ filters: {}, search: '' })}>
          Clear all
        </Button>
      )}
    </div>
  )
}
