import AntModal from 'antd/es/modal'
import type { ModalProps } from 'antd/es/modal'
import { useEffect, useState } from 'react'

const focusable =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), summary, [tabindex]:not([tabindex="-1"])'

/** A dialog named by its title. Tab goes round inside it, and what opened it has the focus again afterwards (P29); mount it only while open. */
export function Modal(props: ModalProps) {
  const isOpen = props.open === true
  // At its end the library lets the focus out to the browser's own bars for one step.
  useEffect(() => {
    if (!isOpen) return
    document.addEventListener('keydown', trapFocus)
    return () => document.removeEventListener('keydown', trapFocus)
  }, [isOpen])
  useRestoredFocus(isOpen)
  return <AntModal {...props} />
}

/** The library gives the focus back when its closing is drawn to the end; a dialog that is taken away at once does not come to that. */
function useRestoredFocus(isOpen: boolean): void {
  // Before the dialog is drawn: afterwards the focus is in it.
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

function trapFocus(event: KeyboardEvent): void {
  if (event.key !== 'Tab' || event.defaultPrevented) return
  const dialog = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1)
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
