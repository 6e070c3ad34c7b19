import { readFileSync } from 'node:fs'
import path from 'node:path'
import { federationModules } from './baseConfig.ts'
import { replaced } from './LeanRuntimePlugin.ts'

/** The names that a module exports. */
const listExports = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^export (?:class|const) (\w+)|^export \{([^}]*)\}/gm)].flatMap(
    ([, one, several = '']) => (one ? [one] : several.split(',').map((name) => name.trim())),
  )

it.each(replaced)(
  '$request of the runtime is there, and $by exports what it does',
  ({ package: name, request, by }) => {
    const folder = path.dirname(federationModules()[`@module-federation/${name}$`] ?? '')
    const own = listExports(path.join(folder, request))
    expect(own.length).toBeGreaterThan(1)
    expect(listExports(path.join(import.meta.dirname, 'browser', by))).toEqual(expect.arrayContaining(own))
  },
)
