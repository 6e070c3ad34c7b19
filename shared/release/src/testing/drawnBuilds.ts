import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { aBuild } from './aBuild.ts'

/** A host as pages load it: it says what it sees, and what the part's own script says of the address. */
const hostCode = `globalThis.dmpDraw = async (path) => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent)
  const { isDemo, applicationName } = read('dmp-settings')
  const { entry } = read('dmp-snapshot').remotes[0]
  await new Promise((onload, onerror) =>
    document.head.append(Object.assign(document.createElement('script'), { src: entry, onload, onerror })))
  return '<p>' + [part(path), navigator.language, isDemo, applicationName, typeof process].join(' ') + '</p>'
}`
const partCode = `globalThis.part = (path) => location.pathname === path && path + ' ' + Math.random()`

function withFiles(dist: string, files: readonly string[]): string {
  mkdirSync(path.join(dist, 'texts'))
  for (const file of files) writeFileSync(path.join(dist, file), '{}')
  return dist
}

/** A finished build of a host that draws pages, in English, German and French. */
export const aHostThatDraws = (code = hostCode): string =>
  withFiles(aBuild('host', code), ['drawing.1a2b3c4d.js', 'texts/de.json', 'texts/fr.json'])

/** A finished build of a part that shows two public addresses, in English, German and Arabic. */
export function aPartToDraw(name = 'remote-account', code = partCode): string {
  const declaration = {
    name,
    title: 'Account',
    version: '1.0.0',
    routes: [
      { prefix: '/login', guard: 'guest' as const },
      { prefix: '/forgot-password', guard: 'public' as const },
      { prefix: '/account', guard: 'session' as const },
    ],
    navigation: [],
    cards: [],
    needs: { contract: '^1.0.0', kit: '^1.0.0' },
  }
  return withFiles(aBuild(name, code, { record: { declaration } }), ['texts/de.json', 'texts/ar.json'])
}

/** The same again, with a changed line. */
export const changed = { host: `${hostCode}\n//`, part: `${partCode}\n//` }
