import { preferences } from '@dmp/kit'
import { useSyncExternalStore } from 'react'
import { observable } from './observable.ts'
import type { Mode } from './colours.ts'

/** The colours that a person chose: the system's setting, light or dark. */
export type ThemeChoice = 'system' | 'light' | 'dark'

const choices: readonly ThemeChoice[] = ['system', 'light', 'dark']
const isChoice = (value: string | null): value is ThemeChoice => choices.some((choice) => choice === value)

const storedChoice = preferences.read('theme')
const themeChoice = observable<ThemeChoice>(isChoice(storedChoice) ? storedChoice : 'system')

const darkQuery = '(prefers-color-scheme: dark)'

const isSystemDark = (): boolean => matchMedia(darkQuery).matches

function followSystem(onChange: () => void): () => void {
  const query = matchMedia(darkQuery)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** The choice, a function that changes it, and the mode that it results in. */
export function useThemeChoice(): {
  readonly choice: ThemeChoice
  readonly mode: Mode
  readonly choose: (choice: ThemeChoice) => void
} {
  const choice = themeChoice.use()
  const systemIsDark = useSyncExternalStore(followSystem, isSystemDark, isSystemDark)
  const mode = choice === 'system' ? (systemIsDark ? 'dark' : 'light') : choice
  return { choice, mode, choose }
}

/** Shows a frame in the colours of the page around it. */
export const chooseTheme = (choice: string): void => void (isChoice(choice) && choose(choice))

function choose(choice: ThemeChoice): void {
  preferences.write('theme', choice)
  themeChoice.set(() => choice)
}
