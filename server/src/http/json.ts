import type { FastifyInstance } from 'fastify'
import { Refusal } from '../core/errors.ts'

/** Deeper than any payload of the contract. */
const deepest = 20
/** Texts, lists and objects in all, and names in one object: more than any payload has, and read in a moment. */
const most = { parts: 200_000, names: 2000 } as const

/**
 * JSON as this API takes it: no duplicated key (two readers would disagree on which counts), no key that reaches for a
 * prototype, nothing deep. One pass over the text before it is parsed.
 */
export function parseJson(text: string): unknown {
  check(text)
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(400, 'INVALID', 'This is not JSON.')
  }
}

/**
 * From mark to mark, by `indexOf` within text: one text may be most of a body of 16 MB, where an expression for texts
 * runs out of its stack.
 */
function check(text: string): void {
  const open: (Set<string> | undefined)[] = []
  let parts = 0
  for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, at)) {
    const mark = text[at]
    parts += 1
    if (parts > most.parts) throw new Refusal(400, 'INVALID', 'This JSON has too many parts.')
    if (mark === '"') {
      const end = endOfText(text, at)
      if (isKey(text, end)) addKey(open.at(-1), text.slice(at, end))
      at = end
      continue
    }
    if (mark === '{' || mark === '[') {
      open.push(mark === '{' ? new Set() : undefined)
      if (open.length > deepest) throw new Refusal(400, 'INVALID', 'This JSON is nested too deeply.')
    } else open.pop()
    at += 1
  }
}

const marks: ReadonlySet<number> = new Set([...'"{}[]'].map((mark) => mark.charCodeAt(0)))

function nextMark(text: string, from: number): number {
  let at = from
  while (at < text.length && !marks.has(text.charCodeAt(at))) at += 1
  return at
}

/** Behind its last quote. A text that never ends is taken too: else it would be tried again from each of its quotes. */
function endOfText(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1
    while (text[before] === '\\') before -= 1
    if ((quote - before) % 2 === 1) return quote + 1
  }
  return text.length
}

const isKey = (text: string, end: number): boolean => {
  let at = end
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1
  return text.charAt(at) === ':'
}

function addKey(keys: Set<string> | undefined, token: string): void {
  const key = readKey(token)
  if (!keys) throw new Refusal(400, 'INVALID', 'This is not JSON.')
  if (key === '__proto__' || key === 'constructor' || key === 'prototype')
    throw new Refusal(400, 'INVALID', 'Unknown property.')
  if (keys.has(key)) throw new Refusal(400, 'INVALID', 'A property occurs twice.')
  keys.add(key)
  if (keys.size > most.names) throw new Refusal(400, 'INVALID', 'An object of this JSON has too many properties.')
}

function readKey(token: string): string {
  // As nearly all are written; parsing each would take most of the time of a body that consists of keys.
  if (!token.includes('\\') && token.length > 1 && token.endsWith('"')) return token.slice(1, -1)
  try {
    return String(JSON.parse(token))
  } catch {
    throw new Refusal(400, 'INVALID', 'This is not JSON.')
  }
}

/** JSON is the only type that calls take; other plugins add the parsers of their own routes in their own scope. */
export function registerJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, body: string) =>
    body === '' ? undefined : parseJson(body),
  )
}
