import { useState } from 'react'

/** The list of the drawing before as long as it holds the same, so that what is drawn from it need not be again. */
export function useSameList<Item>(list: readonly Item[]): readonly Item[] {
  const [last, setLast] = useState(list)
  if (last === list) return last
  if (last.length === list.length && last.every((item, at) => Object.is(item, list[at]))) return last
  setLast(list)
  return list
}
