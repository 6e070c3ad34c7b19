import { useLayoutEffect, useRef } from 'react'
import type { KeyCommand } from './KeyCommand.ts'
import { addKeys } from './keyboard.ts'

/**
 * The keys of a component while it is drawn. They are asleep in fields and dialogs, stand in the overlay of `?`, and
 * can be switched off (WCAG 2.1.4).
 *
 * @example useKeys([{ label: 'Next report', group: 'Reports', keys: ['j'], run: next }])
 */
export function useKeys(commands: readonly KeyCommand[]): void {
  const layer = useRef(commands)
  // The document is outside of React. With the drawing, not after it: on a busy machine a key is pressed in between.
  useLayoutEffect(() => {
    layer.current = commands
  })
  useLayoutEffect(() => addKeys(layer), [])
}
