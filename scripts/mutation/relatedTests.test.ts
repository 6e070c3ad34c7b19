import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../workspace/files.ts'
import { journeysOfPackage } from './journeysOfPackage.ts'
import { getPackage, listImports } from '../workspace/importGraph.ts'
import { findRelatedTests } from './relatedTests.ts'

describe('who would notice a fault', () => {
  const related = findRelatedTests(root)

  it('is found by the part that the file stands in', () => {
    expect(
      ['shared/contract/src/limits.ts', 'server/src/http/live/liveChannel.ts', 'remote-scan/src/App.tsx'].map(
        getPackage,
      ),
    ).toEqual(['shared/contract', 'server', 'remote-scan'])
  })

  it('are the tests that reach it by imports, mocks and programs, also out of other packages', () => {
    const packages = new Map([
      ['@dmp/kit', { folder: 'shared/kit', exports: { '.': './src/index.ts', './*': './src/*.ts' } }],
    ])
    const source =
      "import a from '../b.ts'; jest.mock('./c.ts'); import '@dmp/kit'; jest.mock<A>(\n  '@dmp/kit/d'); import 'react'; const shared = ['@dmp/kit/e']"
    expect(listImports('host/src/x/a.ts', source, packages)).toEqual([
      'host/src/b.ts',
      'host/src/x/c.ts',
      'shared/kit/src/index.ts',
      'shared/kit/src/d.ts',
    ])
    const parts = new Set(related.testsOf('shared/contract/src/limits.ts').map(getPackage))
    expect([...parts]).toEqual(expect.arrayContaining(['shared/contract', 'shared/kit', 'remote-scan', 'server']))
  })

  it('are asked in the order of what they speak of, its own first', () => {
    expect(related.testsOf('remote-scan/src/share/ScanShareScreen.tsx')[0]).toBe(
      'remote-scan/src/share/ScanShareScreen.test.tsx',
    )
    expect(related.testsOf('server/src/modules/complaint/complaint.image.ts')[0]).toBe(
      'server/src/modules/complaint/complaint.image.test.ts',
    )
    expect(related.testsOf('server/src/http/health.ts')[0]).toBe('server/src/http/errorResponses.test.ts')
    expect(related.testsOf('server/src/dicom/dicomdir.ts').slice(0, 6)).toContain(
      'server/src/modules/scan/download/download.test.ts',
    )
  })

  it('are journeys that exist, for everything that is seen', () => {
    const words = ['host', 'viewer', 'shared/kit', 'remote-scan', 'remote-user'].flatMap(
      (part) => journeysOfPackage(part)?.filter((word) => !/^-|^@/.test(word)) ?? [],
    )
    for (const word of words)
      expect(existsSync(join(root, 'e2e', `${word.replace('.e2e', '')}.e2e.ts`)) ? word : '').toBe(word)
    expect(journeysOfPackage('server')).toBeUndefined()
  })
})
