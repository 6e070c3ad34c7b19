import { isMac, type KeyCommand } from './KeyCommand.ts'
import { areKeysOn } from './keySwitch.ts'

/** A list of commands whose content may change while it is listened to. */
export interface KeyLayer {
  readonly current: readonly KeyCommand[]
}

/** How long the second key of two may take. */
const sequenceMs = 1500
/** The newest last. */
const layers: KeyLayer[] = []
let begun: { readonly key: string; readonly at: number } | undefined

/** Listens to the keys of these commands, those of newer lists first. Returns a function that stops it. */
export function addKeys(layer: KeyLayer): () => void {
  if (layers.length === 0) document.addEventListener('keydown', press)
  layers.push(layer)
  return () => {
    layers.splice(layers.indexOf(layer), 1)
    begun = undefined
    if (layers.length === 0) document.removeEventListener('keydown', press)
  }
}

/** Everything that a key does on this page now. */
export const listKeys = (): readonly KeyCommand[] => layers.toReversed().flatMap(({ current }) => current)

/** Does what the key would do. */
export const runKey = (key: string): void => findCommand(key)?.run()

const findCommand = (key: string): KeyCommand | undefined =>
  listKeys().find(({ keys, isEnabled }) => keys.includes(key) && (isEnabled?.() ?? true))

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const key = toKey(event)
  if (key === undefined || isKept(event.target, key) || (key.length === 1 && !areKeysOn())) return
  const first = begun && event.timeStamp - begun.at < sequenceMs ? begun.key : undefined
  begun = undefined
  // What does not end a sequence does nothing: its second key was meant for another one.
  const command = findCommand(first === undefined ? key : `${first} ${key}`)
  if (command === undefined && first === undefined && isBeginning(key)) begun = { key, at: event.timeStamp }
  if (command === undefined && begun === undefined) return
  event.preventDefault()
  command?.run()
}

const isBeginning = (key: string): boolean =>
  listKeys().some(({ keys }) => keys.some((each) => each.startsWith(`${key} `)))

/** The key as commands write it; undefined where a modifier makes it the browser's. */
function toKey({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string | undefined {
  const plain = key.length === 1 ? toLatin(key, code, shiftKey).toLowerCase() : key
  if (!ctrlKey && !metaKey) return altKey ? undefined : plain
  const isMod = isMac() ? metaKey && !ctrlKey : ctrlKey && !metaKey
  return isMod && !altKey && !shiftKey ? `Mod+${plain}` : undefined
}

/** On a keyboard of another script the letters are where a Latin one has them. */
function toLatin(key: string, code: string, isShifted: boolean): string {
  if (key <= '~') return key
  if (code === 'Slash') return isShifted ? '?' : '/'
  return /^Key[A-Z]$/.test(code) ? code.slice(3) : key
}

/** Whether a dialog or the focused control needs the key for itself. */
function isKept(target: EventTarget | null, key: string): boolean {
  if (document.querySelector('[role="dialog"], dialog[open]') !== null) return true
  if (!(target instanceof Element)) return false
  if (target.closest('[role="menu"], [role="listbox"]')) return true
  if (key.startsWith('Mod+')) return false
  if (target.closest('select, textarea, [contenteditable]:not([contenteditable="false"])')) return true
  const isWalk = /^(?:Arrow|Page|Home|End)/.test(key)
  if (target instanceof HTMLInputElement) {
    if (target.type === 'range') return isWalk
    if (target.type !== 'checkbox' && target.type !== 'radio') return true
    return isWalk || key === ' ' || key === 'Enter'
  }
  const button = target.closest('button, summary')
  if (button?.closest('[role="toolbar"]') && /^(?:ArrowLeft|ArrowRight|Home|End)$/.test(key)) return true
  if (button) return key === ' ' || key === 'Enter'
  return key === 'Enter' && target.closest('a') !== null
}
