import { getFigures, setBudgets } from '@dmp/contract/releaseCalls'
import { pageTimeKinds, type PartFigures, type PageTimeKind } from '@dmp/contract/releaseFigures'
import { useCan, useData } from '@dmp/kit'
import { CopyText, Section } from '@dmp/kit/screen'
import { SimpleTable } from '@dmp/kit/table'
import { Button, StatusBadge } from '@dmp/kit/ui'
import { useState } from 'react'
import { BudgetsModal } from './BudgetsModal.tsx'
import { formatCount, formatLoadTime, formatRelease, formatShift } from './format.ts'
import { stateTexts, timeTexts } from './releaseLabels.ts'

type Row = PartFigures['releases'][number]

const format = (what: PageTimeKind, value: number): string =>
  what === 'cls' ? formatShift(value) : formatLoadTime(value)

/** Who still has which release of a part, and how long people wait for each. */
export function FigureSection({ part }: { part: string }) {
  const figures = useData(getFigures, { part })
  const [isEditing, setEditing] = useState(false)
  const mayEdit = useCan(setBudgets)
  const { releases, budgets } = figures
  return (
    <Section
      title="Releases on people’s pages"
      extra={
        mayEdit && (
          <Button size="small" onClick={() => setEditing(true)}>
            Budgets…
          </Button>
        )
      }
    >
      <SimpleTable<Row>
        label="Releases on people’s pages"
        rows={releases}
        rowKey={({ releaseId }) => releaseId}
        emptyText="No page told of this part yet."
        columns={[
          {
            title: 'Release',
            value: (row) => formatRelease(row),
            render: (row) => (
              <>
                {formatRelease(row)} <CopyText text={row.releaseId} label="Release id" />
              </>
            ),
          },
          { title: 'State', value: ({ state }) => stateTexts[state] },
          { title: 'Open pages', value: ({ openPages }) => formatCount(openPages) },
          { title: 'Most in one hour', value: ({ mostOpenPages }) => formatCount(mostOpenPages) },
          ...pageTimeKinds.map((kind) => ({
            title: timeTexts[kind],
            value: (row: Row) => row.times.find(({ what }) => what === kind)?.p75,
            render: (row: Row) => <Time row={row} kind={kind} budgets={budgets} />,
          })),
        ]}
      />
      <p className="dmp-quiet">
        Open pages: within the last hour, and the most within one hour of the last day. Times of the last 30 days: three
        in four pages needed no more, and in brackets nineteen in twenty.
        {budgets.length > 0 && (
          <>
            {' '}
            Budgets: <bdi>{budgets.map(({ what, p75 }) => `${timeTexts[what]} ${format(what, p75)}`).join(' · ')}</bdi>
          </>
        )}
      </p>
      {isEditing && <BudgetsModal figures={figures} onClose={() => setEditing(false)} />}
    </Section>
  )
}

function Time({ row, kind, budgets }: { row: Row; kind: PageTimeKind; budgets: PartFigures['budgets'] }) {
  const time = row.times.find(({ what }) => what === kind)
  if (time === undefined) return <span aria-label="None">–</span>
  const budget = budgets.find(({ what }) => what === kind)
  return (
    <span className="dmp-part-time">
      <bdi>
        {format(kind, time.p75)} ({format(kind, time.p95)})
      </bdi>
      {budget !== undefined && time.p75 > budget.p75 && <StatusBadge value="Over budget" tone="warning" />}
    </span>
  )
}
