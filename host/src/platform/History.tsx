import type { ShownMove, ShownPart } from '@dmp/contract/releaseCalls'
import { Choice } from '@dmp/kit/form'
import { Section } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { useState } from 'react'
import { changeTones, changeWords } from './words.ts'

const columns: Column<ShownMove>[] = [
  { title: 'When', field: 'at', type: 'date', width: 190 },
  { title: 'Change', value: ({ change, percent }) => `${changeWords[change]}${percent !== null && percent !== undefined && change !== 'stop' ? ` ${percent} %` : ''}`, type: 'status', tone: (word) => changeTones[word.replace(/ \d+(?:\.\d+)? %$/, '')] ?? 'secondary' },
  { title: 'Parts', value: ({ parts }) => parts.join(', ') },
  { title: 'By', field: 'by' },
  { title: 'Reason', value: ({ reason }) => reason ?? '–' },
]

/** Every move of the registry, newest first. */
export function History({ moves, parts }: { moves: readonly ShownMove[]; parts: readonly ShownPart[] }) {
  const [part, setPart] = useState('any')
  const options = [{ value: 'any', label: 'Any part' }, ...parts.map(({ name, title }) => ({ value: name, label: title }))]
  const shown = moves.filter((move) => part === 'any' || move.parts.includes(part))
  return (
    <Section title="History" extra={<Choice label="Part" options={options} value={part} onChange={setPart} />}>
      <SimpleTable rows={shown} columns={columns} label="History" rowKey={({ version }) => String(version)} emptyText={part === 'any' ? 'Nothing was moved yet.' : 'Nothing of this part was moved yet.'} />
    </Section>
  )
}
