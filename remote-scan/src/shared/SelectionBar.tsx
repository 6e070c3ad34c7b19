import { useState, type ReactNode } from 'react'
import { Button, Modal } from '@dmp/kit/ui'
import type { ScanSubject } from './scanSubject.ts'
import { SubjectList } from './SubjectList.tsx'
import './patientHeader.css'

interface SelectionBarProps {
  readonly selected: readonly ScanSubject[]
  /** Keys of the rows that can be seen now. */
  readonly inView: ReadonlySet<string>
  readonly onChange: (keys: readonly string[]) => void
  /** What can be done with all of them. */
  readonly children?: ReactNode
}

const toDeselectLabel = (name: string): string => `Deselect ${name}`

/** How many are selected, and how many of them cannot be seen: stays in sight as long as anything is selected. */
export function SelectionBar({ selected, inView, onChange, children }: SelectionBarProps) {
  const [isShown, setShown] = useState(false)
  const away = selected.filter(({ key }) => !inView.has(key)).length
  if (selected.length === 0) return null
  const remove = (key: string) => onChange(selected.map((subject) => subject.key).filter((other) => other !== key))
  return (
    <div className="selection-bar" role="region" aria-label="Selection">
      <p role="status">
        <strong>{selected.length} selected</strong>
        {away > 0 && <span className="selection-bar-away"> · {away} not in this view</span>}
      </p>
      <Button size="small" onClick={() => setShown(true)}>
        Show
      </Button>
      <Button size="small" onClick={() => onChange([])}>
        Clear
      </Button>
      {children && <span className="selection-bar-actions">{children}</span>}
      {isShown && (
        <Modal
          open
          title="Selected scans"
          footer={<Button onClick={() => setShown(false)}>Close</Button>}
          onCancel={() => setShown(false)}
        >
          <SubjectList
            subjects={selected}
            extra={({ key, patientName, patientID, description }) => (
              <Button
                size="small"
                aria-label={toDeselectLabel([patientName, description, patientID].filter(Boolean).join(', '))}
                onClick={() => {
                  if (selected.length === 1) setShown(false)
                  remove(key)
                }}
              >
                Deselect
              </Button>
            )}
          />
        </Modal>
      )}
    </div>
  )
}
