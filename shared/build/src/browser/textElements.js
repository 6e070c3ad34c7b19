import { createElement, Fragment } from 'react'
import { toPieces } from './texts.js'

/** A text with elements between its words. */
export function elements(id, values) {
  const wrapped = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'function' ? (inner) => value(createElement(Fragment, null, ...inner)) : value,
    ]),
  )
  return createElement(Fragment, null, ...toPieces(id, wrapped))
}
