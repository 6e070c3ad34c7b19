import type { MouseEvent } from 'react'
import type { ScanRow, Study } from '@dmp/contract/scan'
import { unsaidModalities } from '@dmp/dicom/modalities'
import { Link } from '@dmp/kit/router'
import { RightOutlined } from '@dmp/kit/ui'
import { nameStudy, noNameText } from '../shared/scanSubject.ts'
import { resultText } from '../shared/resultTexts.ts'
import { columns as kinds, type ColumnKey } from './columns.ts'
import { RowActions } from './RowActions.tsx'
import { detailPath, fromWorklist, type Asked } from './rowActions.ts'
import { SeriesCell, StudyCell } from './StudyCell.tsx'

export interface RowProps {
  readonly organizationId: string
  readonly columns: readonly ColumnKey[]
  readonly onAsk: (asked: Asked) => void
}

interface StudyRowProps extends RowProps {
  readonly study: Study
  /** On everything that acts on it. */
  readonly name: string
  /** Another row has the name of its patient. */
  readonly isAlike: boolean
  /** Another patient of the page has this name. */
  readonly hasNamesake: boolean
  /** A further study of the patient of the row above. */
  readonly isSamePatient: boolean
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly isOpen: boolean
  /** With Shift: and all between it and the one before. */
  readonly onSelect: (isOn: boolean, isRange: boolean) => void
  readonly onToggle: () => void
  /** It is the one that the keys and the preview are about. */
  readonly onActivate: (isClicked: boolean) => void
}

const isOnControl = ({ target }: MouseEvent): boolean =>
  target instanceof Element && target.closest('a, button, input, label, [role="menu"]') !== null

/** A study in one line, and below it, when it is open, its series. */
export function StudyRow(props: StudyRowProps) {
  const { organizationId, columns, onAsk, study, name, isAlike, isSamePatient, isActive, isSelected, isOpen } = props
  const patient = study.patientName || noNameText()
  const isSaid = unsaidModalities(study.modalities, nameStudy(study)) === ''
  const [first] = study.series
  return (
    <>
      <tr
        data-study={study.studyUID}
        data-active={isActive || undefined}
        data-selected={isSelected || undefined}
        data-new={study.isNew || undefined}
        data-follows={isSamePatient || undefined}
        onClick={(event) => !isOnControl(event) && props.onActivate(true)}
        onFocus={() => props.onActivate(false)}
      >
        <td className="dmp-cell-check">
          <input
            type="checkbox"
            aria-label={`Select ${name}`}
            checked={isSelected}
            onChange={(event) =>
              props.onSelect(
                event.target.checked,
                'shiftKey' in event.nativeEvent && event.nativeEvent.shiftKey === true,
              )
            }
          />
        </td>
        <td className="worklist-patient">
          <span>
            <button
              type="button"
              className="worklist-toggle"
              aria-label={`Series of ${name}`}
              aria-expanded={isOpen}
              onClick={props.onToggle}
            >
              <RightOutlined rotate={isOpen ? 90 : 0} />
            </button>
            <span className="worklist-who">
              {first ? (
                <Link
                  className="worklist-link"
                  dir="auto"
                  title={patient}
                  aria-label={isAlike ? name : undefined}
                  to={detailPath(organizationId, first)}
                  state={fromWorklist}
                >
                  {patient}
                </Link>
              ) : (
                <bdi>{patient}</bdi>
              )}
              {props.hasNamesake && (
                <bdi className="worklist-id" data-alone={!columns.includes('patientID') || undefined}>
                  {study.patientID || 'No patient ID'}
                </bdi>
              )}
              {study.isNew && <span className="worklist-new">New</span>}
              {study.seriesCount > 1 && <span className="worklist-count">{study.seriesCount} series</span>}
            </span>
          </span>
        </td>
        {columns.map((column) => (
          <td
            key={column}
            data-column={column}
            data-label={kinds[column].title}
            data-said={(column === 'modality' && isSaid) || undefined}
          >
            <StudyCell column={column} study={study} />
          </td>
        ))}
        <td className="worklist-end">
          <RowActions organizationId={organizationId} study={study} series={study.series} name={name} onAsk={onAsk} />
        </td>
      </tr>
      {isOpen && study.series.map((row) => <SeriesRow key={row.seriesUID} {...props} row={row} patient={patient} />)}
    </>
  )
}

type SeriesRowProps = Pick<StudyRowProps, 'organizationId' | 'columns' | 'onAsk' | 'study'> & {
  readonly row: ScanRow
  readonly patient: string
}

function SeriesRow({ organizationId, columns, onAsk, study, row, patient }: SeriesRowProps) {
  const title = row.seriesDescription || 'No description'
  return (
    <tr className="worklist-series">
      <td className="worklist-patient" colSpan={2}>
        <Link
          className="worklist-link"
          dir="auto"
          title={title}
          to={detailPath(organizationId, row)}
          state={fromWorklist}
        >
          {title}
        </Link>
        {row.result && (
          <span className="worklist-result">
            <bdi>{resultText(row.result)}</bdi>
          </span>
        )}
      </td>
      {columns.map((column) => (
        <td key={column} data-column={column} data-label={kinds[column].title}>
          <SeriesCell column={column} row={row} />
        </td>
      ))}
      <td className="worklist-end">
        <RowActions
          organizationId={organizationId}
          study={study}
          series={[row]}
          name={seriesText(title, [patient, study.patientID].filter(Boolean).join(', '))}
          onAsk={onAsk}
        />
      </td>
    </tr>
  )
}

const seriesText = (title: string, patient: string): string => `${title} of ${patient}`
