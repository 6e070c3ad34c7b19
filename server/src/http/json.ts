import type { FastifyInstance } from 'fastify'
import { Refusal } from '../core/errors.ts'

/** Deeper than any payload of the contract. */
const deepest = 20

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

function check(text: string): void {
  const open: (Set<string> | undefined)[] = []
  // Strings, and the marks that structure. A string that never ends is taken too: else it would be tried again from
  // each of its quotes.
  const tokens = /"(?:[^"\\]|\\[^])*"?|[{}[\]]/g
  for (const match of text.matchAll(tokens)) {
    const [token] = match
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : undefined)
      if (open.length > deepest) throw new Refusal(400, 'INVALID', 'This JSON is nested too deeply.')
    } else if (token === '}' || token === ']') open.pop()
    else if (isKey(text, match.index + token.length)) addKey(open.at(-1), token)
  }
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
