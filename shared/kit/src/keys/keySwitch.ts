import { preferences } from '../language/preferences.ts'

const name = 'keys'
/** The choice of those who made it for the worklist, when it had keys of its own. */
const earlierName = 'worklist-keys'
let isOnInThisPage = true

/** Whether keys with a character do anything; people who speak to their computer turn them off (WCAG 2.1.4). */
export function areKeysOn(): boolean {
  const stored = preferences.read(name) ?? preferences.read(earlierName)
  return stored === null ? isOnInThisPage : stored !== 'off'
}

export function writeKeys(isOn: boolean): void {
  isOnInThisPage = isOn
  preferences.write(name, isOn ? 'on' : 'off')
}
