import type { Command } from './commands.ts'

/** Whether keys do what the help page says; people who speak to their computer turn this off (WCAG 2.1.4). */
export interface KeySwitch {
  isOn: boolean
}

// Keys that a focused control needs for itself.
const keepsKey = (target: EventTarget | null, key: string): boolean => {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('dialog') !== null || target.isContentEditable) return true
  if (target instanceof HTMLInputElement) return target.type !== 'range' || /^(Arrow|Page|Home|End)/.test(key)
  if (target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true
  const isButton = target instanceof HTMLButtonElement
  if (isButton && target.closest('[role=toolbar]') !== null && /^(ArrowLeft|ArrowRight|Home|End)$/.test(key))
    return true
  return isButton && (key === ' ' || key === 'Enter')
}

/** The command of a key press, if any. */
export function findCommand(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>,
  commands: readonly Command[],
): Command | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || keepsKey(event.target, event.key)) return undefined
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  return commands.find(({ keys, isEnabled }) => keys.includes(key) && (isEnabled?.() ?? true))
}

export function listenToKeys(commands: readonly Command[], keySwitch: KeySwitch): void {
  document.addEventListener('keydown', (event) => {
    if (!keySwitch.isOn && event.key.length === 1) return
    const command = findCommand(event, commands)
    if (command === undefined) return
    event.preventDefault()
    command.run()
  })
}
