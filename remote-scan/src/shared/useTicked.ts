import { onPersonChange } from '@dmp/kit'
import { useLocation } from '@dmp/kit/router'
import { useLayoutEffect, useState } from 'react'

interface Left {
  readonly of: string
  /** Of the entry of the browser's history. */
  readonly key: string
  readonly rows: readonly unknown[]
}

/** What was ticked in the list that was left last. */
let left: Left | undefined
onPersonChange(() => {
  left = undefined
})

/**
 * The rows that are ticked in a list: somebody who looks at a scan and goes Back finds them again. Whoever comes to the
 * list anew begins with none.
 *
 * @param of what the list is of; a selection in one organization means nothing in another
 */
export function useTicked<Row>(of: string): readonly [rows: readonly Row[], tick: (rows: readonly Row[]) => void] {
  const { key } = useLocation()
  const [ticked, setTicked] = useState<{ readonly of: string; readonly rows: readonly Row[] }>(() => ({
    of,
    // Only this list has an entry of this key.
    rows: left?.key === key && left.of === of ? (left.rows as readonly Row[]) : [],
  }))
  useLayoutEffect(
    () => () => {
      left = { ...ticked, key }
    },
    [ticked, key],
  )
  return [ticked.of === of ? ticked.rows : [], (next) => setTicked({ of, rows: next })]
}
