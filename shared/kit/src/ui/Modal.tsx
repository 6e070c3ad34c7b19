import AntModal from 'antd/es/modal'
import type { ModalProps } from 'antd/es/modal'
import { useEffect, useState } from 'react'

const focusable =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), summary, [tabindex]:not([tabindex="-1"])'

/**
 * A dialog named by its title. Tab stays inside, and closing returns the focus to the element that opened it (P29);
 * mount it only while open.
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
  return <AntModal {...props} />
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
