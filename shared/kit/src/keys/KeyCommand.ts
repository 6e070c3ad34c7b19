/** Something that a key does: keyboard, overlay of keys and the viewer's toolbar are all made from lists of these. */
export interface KeyCommand {
  readonly label: string
  /** The heading in the overlay of keys. */
  readonly group: string
  /** Values of `KeyboardEvent.key` in lower case; `g s` is one key after the other, `Mod+k` Ctrl+K, on a Mac ⌘K. */
  readonly keys: readonly string[]
  readonly run: () => void
  readonly isEnabled?: () => boolean
}

const capTexts: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  ' ': 'Space',
  Escape: 'Esc',
  PageUp: 'Page up',
  PageDown: 'Page down',
  Enter: 'Enter',
  Home: 'Home',
  End: 'End',
}
const ctrlText = (): string => 'Ctrl'

export const isMac = (): boolean => /^(?:Mac|iP)/.test(navigator.platform)

/** The caps to press, one after the other: `g s` → G, S. */
export function toKeyCaps(key: string): readonly string[] {
  if (key.startsWith('Mod+')) return [`${isMac() ? '⌘' : `${ctrlText()}+`}${key.slice(4).toUpperCase()}`]
  const steps = key.length > 1 ? key.split(' ') : [key]
  return steps.map((step) => capTexts[step] ?? (step.length === 1 ? step.toUpperCase() : step))
}
