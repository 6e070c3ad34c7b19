import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { parseSync } from 'oxc-parser'
import leanRouterLoader from './leanRouterLoader.ts'

const kit = createRequire(createRequire(import.meta.url).resolve('@dmp/kit/package.json'))
const router = createRequire(kit.resolve('react-router-dom')).resolve('react-router')
const folder = path.join(path.dirname(router), '../development')
const scripts = readdirSync(folder).filter((name) => name.endsWith('.mjs'))
const change = (name: string) => {
  const text = readFileSync(path.join(folder, name), 'utf8')
  return { name, text, lean: leanRouterLoader(text) }
}
const exportsOf = (text: string): readonly string[] =>
  parseSync('router.mjs', text).module.staticExports.flatMap(({ entries }) =>
    entries.map(({ exportName }) => exportName.name ?? ''),
  )

describe('what is left out of react-router', () => {
  it('is in one script of the installed version, which exports what it did', () => {
    const changed = scripts.map(change).filter(({ text, lean }) => lean !== text)
    expect(changed).toHaveLength(1)
    const [{ text, lean } = { text: '', lean: '' }] = changed
    expect(parseSync('router.mjs', lean).errors).toEqual([])
    expect(exportsOf(lean)).toEqual(exportsOf(text))
    expect(exportsOf(lean)).toContain('Link')
    expect(lean).not.toMatch(/displayName = "Form"|= usePrefetchBehavior|ENABLE_DEV_WARNINGS = true/)
  })

  it('is what it was for: a version that is written in another way is refused', () => {
    expect(() => leanRouterLoader('var Link = forwardRef(function LinkWithRef() {})')).toThrow(
      'react-router is written in another way',
    )
  })
})
