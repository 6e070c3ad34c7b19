import { useEffect, useRef } from 'react'
import type { Study } from '@dmp/contract/scan'
import { columns as kinds, defaultColumns, type ColumnKey } from './columns.ts'
import type { Density } from './density.ts'
import { nameStudies } from './nameStudies.ts'
import { StudyRow, type RowProps } from './StudyRow.tsx'
import type { SelectedStudies } from './useSelectedStudies.ts'
import { firstDirection, groupByPatient, type Sort, type WorklistState } from './worklistState.ts'

interface StudyTableProps extends RowProps {
  readonly studies: readonly Study[]
  readonly isWaiting: boolean
  readonly isFetching: boolean
  readonly state: WorklistState
  readonly density: Density
  readonly selection: SelectedStudies
  readonly active: string | undefined
  readonly opened: ReadonlySet<string>
  readonly onActivate: (studyUID: string, isClicked: boolean) => void
  readonly onToggle: (studyUID: string) => void
  readonly onSort: (sort: Sort, direction: 'asc' | 'desc') => void
}

const patientWidth = 222
const restWidth = 44 + 104

/** Patients, their studies and the series of those that are open, a line each. */
export function StudyTable(props: StudyTableProps) {
  const { studies, isWaiting, isFetching, columns, selection, active, opened } = props
  const select = useRange(studies, selection)
  const names = nameStudies(studies)
  // Chosen columns are all shown, if need be by scrolling; the others give way on a narrow page.
  const isDefault = columns === defaultColumns
  const minWidth = columns.reduce((sum, key) => sum + kinds[key].width, patientWidth + restWidth)
  // One column takes the room that is left.
  const wide = columns.includes('study') ? 'study' : undefined
  return (
    <div className="worklist-box">
      <table
        className={isDefault ? 'worklist-table worklist-default' : 'worklist-table'}
        aria-label="Studies"
        aria-busy={isFetching}
        data-density={props.density}
        data-stale={isFetching && !isWaiting}
        style={isDefault ? undefined : { minWidth }}
      >
        <thead>
          <tr>
            <th scope="col" className="dmp-cell-check">
              <SelectPage studies={studies} selection={selection} />
            </th>
            <Heading title="Patient" sort="patientName" width={wide ? patientWidth : undefined} {...props} />
            {columns.map((key) => (
              <Heading
                key={key}
                column={key}
                {...kinds[key]}
                {...props}
                width={key === wide ? undefined : kinds[key].width}
              />
            ))}
            <th scope="col" className="worklist-end">
              <span className="dmp-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        {isWaiting ? (
          <GreyRows columns={columns} />
        ) : (
          <tbody>
            {groupByPatient(studies).map((group) =>
              group.map((study, index) => (
                <StudyRow
                  key={study.studyUID}
                  organizationId={props.organizationId}
                  columns={columns}
                  onAsk={props.onAsk}
                  study={study}
                  name={names.nameOf(study)}
                  isAlike={names.isAlike(study)}
                  hasNamesake={names.hasNamesake(study)}
                  isSamePatient={index > 0}
                  isActive={study.studyUID === active}
                  isSelected={selection.isSelected(study)}
                  isOpen={opened.has(study.studyUID)}
                  onSelect={(isOn, isRange) => select(study, isOn, isRange)}
                  onToggle={() => props.onToggle(study.studyUID)}
                  onActivate={(isClicked) => props.onActivate(study.studyUID, isClicked)}
                />
              )),
            )}
          </tbody>
        )}
      </table>
    </div>
  )
}

/** Ticks one, or with Shift all from the one before to this. */
function useRange(studies: readonly Study[], selection: SelectedStudies) {
  const before = useRef<string>(undefined)
  return (study: Study, isOn: boolean, isRange: boolean): void => {
    // As they stand in the list.
    const ordered = groupByPatient(studies).flat()
    const [from, to] = [before.current, study.studyUID].map((uid) => ordered.findIndex((row) => row.studyUID === uid))
    before.current = study.studyUID
    if (!isRange || from === undefined || to === undefined || from < 0) return selection.set([study], isOn)
    selection.set(ordered.slice(Math.min(from, to), Math.max(from, to) + 1), isOn)
  }
}

const ariaSorts = { asc: 'ascending', desc: 'descending' } as const

interface HeadingProps extends Pick<StudyTableProps, 'state' | 'onSort'> {
  readonly title: string
  readonly sort?: Sort
  readonly width: number | undefined
  readonly column?: ColumnKey
}

function Heading({ title, sort, width, column, state, onSort }: HeadingProps) {
  if (!sort)
    return (
      <th scope="col" style={{ width }} data-column={column}>
        {title}
      </th>
    )
  const direction = state.sort === sort ? state.direction : undefined
  const next = direction === undefined ? firstDirection(sort) : direction === 'asc' ? 'desc' : 'asc'
  return (
    <th
      scope="col"
      className={column === undefined ? 'worklist-heading-patient' : undefined}
      style={{ width }}
      data-column={column}
      aria-sort={direction === undefined ? 'none' : ariaSorts[direction]}
    >
      <button type="button" className="dmp-sort" data-direction={direction ?? ''} onClick={() => onSort(sort, next)}>
        {title}
        <svg className="dmp-sort-sign" viewBox="0 0 8 12" aria-hidden="true">
          <path className="dmp-sort-up" d="M4 0l4 5H0z" />
          <path className="dmp-sort-down" d="M4 12l4-5H0z" />
        </svg>
      </button>
    </th>
  )
}

function SelectPage({ studies, selection }: Pick<StudyTableProps, 'studies' | 'selection'>) {
  const box = useRef<HTMLInputElement>(null)
  const count = studies.filter(selection.isSelected).length
  const isAll = count > 0 && count === studies.length
  // The half state is a property, not an attribute.
  useEffect(() => {
    if (box.current) box.current.indeterminate = count > 0 && !isAll
  }, [count, isAll])
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label="Select all studies on this page"
      checked={isAll}
      disabled={studies.length === 0}
      onChange={(event) => selection.set(studies, event.target.checked)}
    />
  )
}

const greyRows = 12
/** The cells that a phone lays out as the rows' own. */
const greyClasses: Readonly<Record<string, string>> = { check: 'dmp-cell-check', end: 'worklist-end' }

function GreyRows({ columns }: { columns: readonly ColumnKey[] }) {
  return (
    <tbody aria-hidden>
      {Array.from({ length: greyRows }, (_, row) => (
        <tr key={row}>
          {['check', 'patient', ...columns, 'end'].map((key, cell) => (
            // Where there is no room for a column, its grey goes with its heading.
            <td key={key} data-column={key} className={greyClasses[key]}>
              <span className="dmp-grey" style={{ width: `${40 + ((row * 7 + cell * 13) % 50)}%` }}>
                …
              </span>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}
