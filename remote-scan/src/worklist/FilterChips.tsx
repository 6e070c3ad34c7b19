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

const toggles: readonly { name: FilterName; title: string }[] = [
  { name: 'isNew', title: 'New' },
  { name: 'isShared', title: 'Shared' },
  { name: 'isMine', title: 'Opened by me' },
]

/** What narrows the list, each a chip that says what is chosen. */
export function FilterChips({ state, organizationId, onChange }: FilterChipsProps) {
  const { data: kinds } = useLookup(scan.getStudyKinds, { organizationId })
  const { filters } = state
  const set = (changes: Partial<Record<FilterName, string | undefined>>) =>
    onChange({
      filters: Object.fromEntries(Object.entries({ ...filters, ...changes }).filter(([, value]) => value)),
    })
  const choice = ({ name, title, options }: { name: FilterName; title: string; options: readonly string[] }) => (
    <ChoiceChip
      title={title}
      options={options}
      chosen={filters[name]?.split(',') ?? []}
      onChange={(chosen) => set({ [name]: chosen.join(',') })}
    />
  )
  const days = ({ title, from, to }: { title: string; from: FilterName; to: FilterName }) => (
    <DaysChip
      title={title}
      from={filters[from] ?? ''}
      to={filters[to] ?? ''}
      onChange={(first, last) => set({ [from]: first, [to]: last })}
    />
  )
  return (
    <div className="worklist-chips" role="group" aria-label="Filters">
      {toggles.map(({ name, title }) => (
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
      {choice({ name: 'modality', title: 'Modality', options: kinds?.modalities ?? [] })}
      {days({ title: 'Study date', from: 'studyFrom', to: 'studyTo' })}
      {days({ title: 'Received', from: 'receivedFrom', to: 'receivedTo' })}
      {choice({ name: 'bodyPart', title: 'Body part', options: kinds?.bodyParts ?? [] })}
      {choice({ name: 'source', title: 'Source', options: kinds?.sources ?? [] })}
      {choice({ name: 'saas', title: 'SaaS', options: saasNames })}
      {isNarrowed(state) && (
        <Button type="link" size="small" onClick={() => onChange({ filters: {}, search: '' })}>
          Clear all
        </Button>
      )}
    </div>
  )
}
