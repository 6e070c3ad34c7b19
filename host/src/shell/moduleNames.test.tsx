import { moduleAliases } from '@dmp/contract/complaint'
import { render } from '@testing-library/react'
import { readDeclarations } from '../testing/readDeclarations.ts'
import { ModuleIcon } from './ModuleIcon.tsx'

const entries = readDeclarations().flatMap(({ navigation }) => navigation)
const guarded = entries.filter(({ module }) => module !== undefined)
const outlineOf = (fontAwesomeClass: string) =>
  render(<ModuleIcon fontAwesomeClass={fontAwesomeClass} />)
    .container.querySelector('path')
    ?.getAttribute('d')

describe('modules', () => {
  it.each([...Map.groupBy(guarded, ({ module = '' }) => module)])(
    '%s has the same name in the navigation and in complaints [2.32, 6.08]',
    (module, own) => {
      // A module may have further entries, such as the worklist of scans.
      expect(own.map(({ alias }) => alias)).toContain((moduleAliases as Readonly<Record<string, string>>)[module])
    },
  )

  it.each(entries.map((entry) => [entry.alias, entry] as const))(
    '%s has an icon of its own in the navigation [2.32]',
    (_alias, { fontAwesomeClass }) => {
      expect(outlineOf(fontAwesomeClass)).not.toBe(outlineOf('fa-nothing-known'))
    },
  )
})
