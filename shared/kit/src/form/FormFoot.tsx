import { Button } from '@dmp/kit/ui'
import { useId } from 'react'
import { formatReason } from './formatReason.ts'
import type { useFormState } from './useFormState.ts'

export interface FormFootProps {
  readonly form: ReturnType<typeof useFormState>
  readonly isReady: boolean
  readonly submitLabel: string
  readonly clearLabel: string | undefined
  readonly onCancel: (() => void) | undefined
  readonly danger: boolean
}

/** The buttons of a form, and the line that says why Submit is disabled (5.18). */
export function FormFoot({ form, isReady, submitLabel, clearLabel, onCancel, danger }: FormFootProps) {
  const id = useId()
  const { isBusy } = form.state
  // Here, behind the fields, which introduce themselves as they are drawn.
  const why = isReady || isBusy ? '' : formatReason(form)
  const cancel = () => {
    form.discard()
    onCancel?.()
  }
  return (
    <div className="dmp-form-foot">
      <p className="dmp-form-why" id={id}>
        {why}
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
