import { fireEvent } from '@testing-library/react'

// Fake timers of a test replace the page's, not this one.
const realTimeout = globalThis.setTimeout
const pause = (ms: number): Promise<void> => new Promise((resolve) => realTimeout(resolve, ms))
/** A change belongs to the click before it if it begins within this time. */
const clickMs = 500
/** As soon as a hurried person's second click can follow. */
const secondClickMs = 40

let last: { readonly button: HTMLButtonElement; readonly at: number } | undefined
let isSecond = false
document.addEventListener(
  'click',
  ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    if (!isSecond) last = button ? { button, at: Date.now() } : undefined
  },
  true,
)

const canBeClicked = (button: HTMLButtonElement): boolean =>
  button.isConnected && !button.disabled && !button.classList.contains('ant-btn-loading')

/** Clicks the button again that began the change, while the change is under way. Does nothing under fake timers. */
export async function clickAgain(): Promise<void> {
  const click = last
  last = undefined
  if (!click || isSecond || Date.now() - click.at > clickMs || globalThis.setTimeout !== realTimeout) return
  await pause(secondClickMs)
  if (!canBeClicked(click.button)) return
  isSecond = true
  fireEvent.click(click.button)
  isSecond = false
  await pause(1)
}
