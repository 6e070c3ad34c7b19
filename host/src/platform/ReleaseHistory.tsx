import type { history, ShownMove, ShownPart } from '@dmp/contract/releaseCalls'
import type { Lookup } from '@dmp/kit'
import { Choice } from '@dmp/kit/form'
import { ErrorAlert, Section } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { Skeleton } from '@dmp/kit/ui'
import { useState } from 'react'
import { changes } from './releaseLabels.ts'

const columns: Column<ShownMove>[] = [
  { title: 'When', field: 'at', type: 'date', width: 190 },
  {
    title: 'Change',
    value: ({ change, percent }) =>
      `${changes[change].label}${percent !== null && percent !== undefined && change !== 'stop' ? ` ${percent} %` : ''}`,
    type: 'status',
    tone: (word) => Object.values(changes).find(({ label }) => word.startsWith(label))?.tone ?? 'secondary',
  },
  { title: 'Parts', value: ({ parts }) => parts.join(', ') },
  { title: 'By', field: 'by' },
  { title: 'Reason', value: ({ reason }) => reason ?? '–' },
]

/** All changes of the registry, newest first. */
export function ReleaseHistory({ moves, parts }: { moves: Lookup<typeof history>; parts: readonly ShownPart[] }) {
  const [part, setPart] = useState('any')
  const options = [
    { value: 'any', label: 'Any part' },
    ...parts.map(({ name, title }) => ({ value: name, label: title })),
  ]
  const partMoves = (moves.data ?? []).filter((move) => part === 'any' || move.parts.includes(part))
  return (
    <Section title="History" extra={<Choice label="Part" options={options} value={part} onChange={setPart} />}>
      <ErrorAlert error={moves.error} onRetry={moves.refetch} />
      {moves.isPending ? (
        <Skeleton rows={3} />
      ) : (
        <SimpleTable
          rows={partMoves}
          columns={columns}
          label="History"
          rowKey={({ version }) => String(version)}
          emptyText={part === 'any' ? 'No changes yet.' : 'No changes to this part yet.'}
        />
      )}
    </Section>
  )
}
