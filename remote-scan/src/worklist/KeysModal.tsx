import { Button, Checkbox, Modal } from '@dmp/kit/ui'
import { keySheet } from './useWorklistKeys.ts'

interface KeysModalProps {
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly onClose: () => void
}

/** The keys, and the switch that turns them off (WCAG 2.1.4). */
export function KeysModal({ isOn, onChange, onClose }: KeysModalProps) {
  return (
    <Modal open title="Keys" footer={<Button onClick={onClose}>Close</Button>} onCancel={onClose}>
      <dl className="worklist-keys">
        {keySheet.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Checkbox checked={isOn} onChange={(event) => onChange(event.target.checked)}>
        Use single keys
      </Checkbox>
    </Modal>
  )
}
