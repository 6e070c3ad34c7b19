import webpack, { type Compiler } from 'webpack'
import { RebuildTurns } from './rebuildTurns.ts'

const names = ['host', 'remote-scan', 'viewer']
let compilers: Compiler[]
let turns: RebuildTurns
let begun: string[]

/** An edit concerns the parts: their watchers say so one after the other. */
const edit = (parts: readonly string[]): void => {
  for (const compiler of compilers.filter(({ name }) => parts.includes(name ?? '')))
    void compiler.hooks.watchRun.promise(compiler).then(() => begun.push(compiler.name ?? ''))
}
const end = (part: string): void =>
  compilers.find(({ name }) => name === part)!.hooks.failed.call(new Error('It ends.'))
const settle = async (): Promise<void> => {
  for (let count = 0; count < 5; count += 1) await new Promise((resolve) => setImmediate(resolve))
}

beforeEach(() => {
  compilers = names.map((name) => webpack({ name, entry: './none.js' }))
  turns = new RebuildTurns()
  begun = []
  turns.manage(compilers)
})

describe('the turns of parts that are compiled again', () => {
  beforeEach(async () => {
    edit(names)
    await settle()
    expect(begun).toEqual(names)
    names.forEach(end)
    begun = []
  })

  it('come one after the other, first the part that pages asked for last', async () => {
    turns.noteAsked('host', 'main.js')
    turns.noteAsked('viewer', 'main.js')
    // What is on the screen is the viewer, however the parts were compiled before.
    turns.noteAsked('host', 'host.0123.hot-update.json')
    edit(names)
    await settle()
    expect(begun).toEqual(['viewer'])
    end('viewer')
    await settle()
    expect(begun).toEqual(['viewer', 'host'])
    end('host')
    await settle()
    expect(begun).toEqual(['viewer', 'host', 'remote-scan'])
  })

  it('go on with a part that is edited again while it is compiled', async () => {
    edit(['host'])
    await settle()
    edit(['host', 'viewer'])
    await settle()
    expect(begun).toEqual(['host', 'host'])
    end('host')
    await settle()
    expect(begun).toEqual(['host', 'host', 'viewer'])
  })
})
