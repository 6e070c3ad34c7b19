import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { publish } from './publish.ts'
import { readSmallStyles } from './smallStyles.ts'
import { aBuild, aStore } from './testing/aBuild.ts'

/** The styles that pages carry of a part with one file of styles. */
async function carried(name: string, css: string, isFirst: boolean): Promise<string[]> {
  const store = aStore()
  const js = name === 'host' ? [] : ['App.js']
  const record = isFirst ? { initial: ['a.css'] } : { chunks: { './App': [...js, 'a.css'] } }
  const dist = aBuild(name, 'one', { record })
  writeFileSync(path.join(dist, 'a.css'), css)
  const release = await publish(store, dist, { commit: 'abc' })
  const styles = await readSmallStyles(store, [release])
  for (const text of styles.values()) expect(text).toBe(css)
  return [...styles.keys()]
}
const sized = (bytes: number): string => '.a{}'.padEnd(bytes, ' ')

it.each<[string, string, boolean, boolean]>([
  ['remote-scan', sized(12 * 1024), false, true],
  ['remote-scan', sized(12 * 1024 + 1), false, false],
  ['host', sized(48 * 1024), true, true],
  ['host', sized(48 * 1024 + 1), true, false],
  ['remote-scan', '.a{background:url(a.png)}', false, false],
  ['remote-scan', '@import "b.css";', false, false],
  ['remote-scan', '</style><script>', false, false],
  ['remote-scan', '', false, false],
])('a page carries styles of %s that are small and name no other file', async (name, css, isFirst, isCarried) => {
  expect(await carried(name, css, isFirst)).toEqual(isCarried ? [`${name}/a.css`] : [])
})
