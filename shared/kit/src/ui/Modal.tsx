import type { ModalProps as AntModalProps } from 'antd/es/modal'
import { useEffect, useState } from 'react'
import { Dialog, useDialogs } from './dialogs.ts'

const focusable =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), summary, [tabindex]:not([tabindex="-1"])'

/** The library's own, but for its buttons: those of a dialog are ours, and stand in `footer`. */
export interface ModalProps extends Omit<
  AntModalProps,
  `ok${string}` | `cancel${string}` | 'confirmLoading' | 'onOk' | 'onCancel'
> {
  /** Closes it: the cross, Escape, a click beside it. Without it, the dialog stays. */
  readonly onCancel?: () => void
}

/**
 * A dialog named by its title. It begins at its first field, Tab stays inside, and closing returns the focus to the
 * element that opened it (P29); mount it only while open. Its buttons are those of `footer`.
 */
export function Modal(props: ModalProps) {
  const isOpen = props.open === true
  // After its last element the library lets the focus leave for the browser's own bars.
  useEffect(() => {
    if (!isOpen) return
    document.addEventListener('keydown', trapFocus)
    return () => document.removeEventListener('keydown', trapFocus)
  }, [isOpen])
  useRestoredFocus(isOpen)
  const isThere = useDialogs(props.onCancel)
  const afterOpenChange = (isShown: boolean) => {
    if (isShown) focusFirstField()
    props.afterOpenChange?.(isShown)
  }
  if (isThere) return <Dialog {...props} afterOpenChange={afterOpenChange} />
  // The keys of the page are asleep from the click on, not from the drawing on.
  return isOpen ? <span role="dialog" hidden /> : null
}

/** The library returns the focus at the end of its closing animation, which an unmounted dialog never reaches. */
function useRestoredFocus(isOpen: boolean): void {
  // Read before the dialog is drawn, because afterwards the focus is inside it.
  const [opener] = useState(() => document.activeElement)
  useEffect(() => {
    if (!isOpen) return
    return () => {
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus()
      })
    }
  }, [isOpen, opener])
}

const findTopDialog = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1)

const fields = ':is(input, select, textarea):not([disabled], [readonly])'

/** The library begins at the cross; where something is to be filled in, people begin there. */
function focusFirstField(): void {
  const dialog = findTopDialog()
  const isBegun = dialog?.querySelector('.ant-modal-body')?.contains(document.activeElement)
  if (!isBegun) dialog?.querySelector<HTMLElement>(`.ant-modal-body ${fields}`)?.focus()
}

function trapFocus(event: KeyboardEvent): void {
  if (event.key !== 'Tab' || event.defaultPrevented) return
  const dialog = findTopDialog()
  const stops = [...(dialog?.querySelectorAll<HTMLElement>(focusable) ?? [])].filter(
    (stop) => stop.getClientRects().length > 0,
  )
  const [first, last] = [stops[0], stops.at(-1)]
  if (!dialog || !first || !last) return
  const here = document.activeElement
  const isAtEnd = event.shiftKey ? here === first || here === dialog : here === last
  if (!isAtEnd && dialog.contains(here)) return
  event.preventDefault()
  ;(event.shiftKey ? last : first).focus()
}
