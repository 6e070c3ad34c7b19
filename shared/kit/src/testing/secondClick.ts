import { fireEvent } from '@testing-library/react'
import { hasFakeTimers, pause } from './leftovers.ts'

/** A change belongs to the click or the Enter before it if it begins within this time. */
const clickMs = 5000
/** As soon as a hurried person's second click can follow. */
const secondClickMs = 40

let last: { readonly button?: HTMLButtonElement; readonly form?: HTMLFormElement; readonly at: number } | undefined
let isSecond = false
document.addEventListener(
  'click',
  ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    if (!isSecond) last = button ? { button, at: Date.now() } : undefined
  },
  true,
)
document.addEventListener(
  'submit',
  ({ target }) => {
    if (!isSecond && target instanceof HTMLFormElement) last = { ...last, form: target, at: Date.now() }
  },
  true,
)

const canBeClicked = (button: HTMLButtonElement): boolean =>
  button.isConnected && !button.disabled && !button.classList.contains('dmp-button--loading')

/**
 * Does again, while the change is under way, what began it: the click, and the Enter in a form. Does nothing under
 * fake timers.
 */
export async function clickAgain(): Promise<void> {
  const first = last
  last = undefined
  if (!first || isSecond || Date.now() - first.at > clickMs || hasFakeTimers()) return
  await pause(secondClickMs)
  isSecond = true
  if (first.form?.isConnected) fireEvent.submit(first.form)
  else if (first.button && canBeClicked(first.button)) fireEvent.click(first.button)
  isSecond = false
  await pause(secondClickMs)
}
