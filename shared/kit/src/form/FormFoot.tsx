import { Button } from '@dmp/kit/ui'
import { useId, useRef, useSyncExternalStore, type RefObject } from 'react'
import { formatReason } from './formatReason.ts'
import type { useFormState } from './useFormState.ts'

export interface FormFootProps {
  readonly form: ReturnType<typeof useFormState>
  readonly isReady: boolean
  readonly submitLabel: string
  readonly clearLabel: string | undefined
  readonly onCancel: (() => void) | undefined
  readonly danger: boolean
  /** Goes to the first field that is missing or wrong. */
  readonly onShowWrong: () => void
}

/** The buttons of a form, and the line that says why Submit is disabled (5.18). */
export function FormFoot(props: FormFootProps) {
  const { form, isReady, submitLabel, clearLabel, onCancel, danger, onShowWrong } = props
  const id = useId()
  const element = useRef<HTMLDivElement>(null)
  const isLong = useIsLong(element)
  const { isBusy } = form.state
  // Here, behind the fields, which introduce themselves as they are drawn.
  const why = isReady || isBusy ? '' : formatReason(form)
  const cancel = () => {
    form.discard()
    onCancel?.()
  }
  return (
    <div ref={element} className="dmp-form-foot">
      <p className="dmp-form-why" id={id}>
        {why && isLong && !form.isValid && !form.isChecking ? (
          <Button type="link" className="dmp-form-way" onClick={onShowWrong}>
            {why}
          </Button>
        ) : (
          why
        )}
      </p>
      {clearLabel && (
        <Button onClick={form.reset} disabled={isBusy}>
          {clearLabel}
        </Button>
      )}
      {onCancel && (
        <Button disabled={isBusy} onClick={cancel}>
          Cancel
        </Button>
      )}
      <Button
        type="primary"
        htmlType="submit"
        danger={danger}
        disabled={!isReady}
        loading={isBusy}
        {...(why ? { 'aria-describedby': id } : {})}
      >
        {submitLabel}
      </Button>
    </div>
  )
}

/** Whether it is that of a dialog longer than the window: its buttons are in sight, what they speak of may not be. */
function useIsLong(foot: RefObject<HTMLElement | null>): boolean {
  // Asked after each drawing, too: whatever draws the form anew may have made it longer.
  const isLong = () => {
    const dialog = foot.current?.closest('.ant-modal-wrap')
    return !!dialog && dialog.scrollHeight > dialog.clientHeight
  }
  return useSyncExternalStore(onResize, isLong, () => false)
}

function onResize(notice: () => void): () => void {
  addEventListener('resize', notice)
  return () => removeEventListener('resize', notice)
}
