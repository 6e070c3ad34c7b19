import type { Endpoint } from '@dmp/contract/endpoint'
import { drafts, hasUnsaved } from '@dmp/kit'
import { ConfirmModal } from '@dmp/kit/screen'
import { Modal } from '@dmp/kit/ui'
import { useState, type ReactNode } from 'react'
import { SchemaForm, type ActionFormProps, type AnyFormProps, type EndpointFormProps } from './SchemaForm.tsx'
import type { FormSchema } from './formSchema.ts'
import { useDraftName } from './useDraftName.ts'

interface InDialog {
  /** The dialog's name. */
  readonly title: string
  readonly onClose: () => void
}

type Dialog<P> = InDialog & Omit<P, 'onCancel'>

/**
 * A `SchemaForm` in a dialog named by its title; its error is a dismissible alert inside (8.03). Mount it only while
 * open; `onDone` closes it.
 */
export function FormModal<S extends FormSchema, E extends Endpoint>(props: Dialog<EndpointFormProps<S, E>>): ReactNode
export function FormModal<S extends FormSchema, A>(props: Dialog<ActionFormProps<S, A>>): ReactNode
export function FormModal({ title, onClose, draft, ...form }: Dialog<AnyFormProps>): ReactNode {
  const draftName = useDraftName(draft, form.submitLabel)
  const [isAsking, setIsAsking] = useState(false)
  const close = () => (hasUnsaved() ? setIsAsking(true) : onClose())
  const giveUp = () => {
    if (draftName) drafts.remove(draftName)
    onClose()
  }
  // One implementation behind the overloads.
  const Form = SchemaForm as (props: AnyFormProps) => ReactNode
  return (
    <Modal open title={title} footer={null} mask={{ closable: false }} onCancel={close}>
      <Form {...form} draft={draftName ?? false} isInDialog onCancel={onClose} />
      {isAsking && (
        <ConfirmModal
          title="Close without saving?"
          confirmLabel="Close"
          cancelLabel="Stay"
          danger
          onConfirm={giveUp}
          onClose={() => setIsAsking(false)}
        >
          <p>What you typed has not been saved.</p>
        </ConfirmModal>
      )}
    </Modal>
  )
}
