import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { watchSources } from './watchSources.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-watched-'))
mkdirSync(join(folder, 'inner'))
writeFileSync(join(folder, 'inner', 'file.ts'), '0')
let told: string[] = []
let end: () => void
beforeAll(() => {
  end = watchSources(folder, (file) => told.push(file))
})
beforeEach(() => {
  told = []
})
afterAll(() => {
  end()
  rmSync(folder, { recursive: true })
})

const hears = async (file: string): Promise<void> => {
  while (!told.includes(file)) await new Promise((next) => setTimeout(next, 10))
}
/** As editors and Git do. */
const replace = (file: string, text: string): void => {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

describe('a source', () => {
  it.each(['first', 'second', 'third'])('is heard of when it is replaced for the %s time', async (text) => {
    replace(join(folder, 'inner', 'file.ts'), text)
    await hears(join('inner', 'file.ts'))
  })

  it('is heard of when it is written where it lies, after it was replaced', async () => {
    writeFileSync(join(folder, 'inner', 'file.ts'), 'in place')
    await hears(join('inner', 'file.ts'))
  })

  it('is heard of in a folder that is new, and when it is removed', async () => {
    mkdirSync(join(folder, 'new', 'deep'), { recursive: true })
    writeFileSync(join(folder, 'new', 'deep', 'file.ts'), '1')
    await hears(join('new', 'deep', 'file.ts'))
    told = []
    rmSync(join(folder, 'new', 'deep', 'file.ts'))
    await hears(join('new', 'deep', 'file.ts'))
  })

  it('of a folder that was removed is forgotten, and found where it is made again', async () => {
    rmSync(join(folder, 'new'), { recursive: true })
    await hears('new')
    mkdirSync(join(folder, 'new', 'deep'), { recursive: true })
    writeFileSync(join(folder, 'new', 'deep', 'again.ts'), '1')
    await hears(join('new', 'deep', 'again.ts'))
  })
})
