import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { lockFolder } from '../../server/src/db/folderLock.ts'
import { root } from '../workspace/files.ts'
import { DatabaseKeeper } from './databaseKeeper.ts'

const place = mkdtempSync(join(tmpdir(), 'dmp-kept-'))
const folder = join(place, 'data')
const program = join(place, 'server.mjs')
const address = (file: string): string => JSON.stringify(pathToFileURL(join(root, file)).href)
const keeper = new DatabaseKeeper()
const servers: ChildProcess[] = []

beforeAll(() => {
  writeFileSync(
    program,
    `import { openEmbedded } from ${address('server/src/db/embedded.ts')}
     import { openKeptThread } from ${address('scripts/dev/keptDatabase.ts')}
     const database = await openEmbedded(${JSON.stringify(folder)}, {
       startThread: openKeptThread,
     })
     const say = (what) => console.log(JSON.stringify(what))
     await new Function('database', 'say', 'return (async () => {' + process.argv[2] + '})()')(database, say)`,
  )
})
afterAll(async () => {
  for (const server of servers) server.kill('SIGKILL')
  await keeper.close()
  rmSync(place, { recursive: true, force: true })
})

/** A server that does something with the database, and what it said. */
function serve(body: string) {
  const child = fork(program, [body], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  servers.push(child)
  keeper.serve(child)
  let said = ''
  child.stdout!.on('data', (text: Buffer) => (said += text.toString()))
  const over = once(child, 'exit').then(() => said.trim())
  const says = async (text: string): Promise<void> => {
    while (!said.includes(text)) await once(child.stdout!, 'data')
  }
  return { child, over, says }
}

describe('the database of npm run dev', () => {
  it('stays open from one server to the next, with what was written, dates and bytes as they are', async () => {
    await serve(`
      await database.exec("create table marks (at timestamptz, raw bytea); set dmp.session = 'the same'")
      await database.query('insert into marks values ($1, $2)', [new Date(0), Buffer.from([0, 255])])
      await database.close()`).over
    const { over } = serve(`
      const statement = "select *, current_setting('dmp.session', true) as session from marks"
      const { rows: [row] } = await database.query(statement)
      say([row.at.toISOString(), row.raw instanceof Uint8Array, [...row.raw], row.session])
      await database.close()`)
    expect(JSON.parse(await over)).toEqual(['1970-01-01T00:00:00.000Z', true, [0, 255], 'the same'])
  })

  it('takes back what a server that was killed had not confirmed', async () => {
    const first = serve(`
      await database.exec('create table counts (n int)')
      await database.transaction(async ({ query }) => {
        await query('insert into counts values (1)')
        say('inside')
        await new Promise(() => setInterval(() => undefined, 1000))
      })`)
    await first.says('inside')
    first.child.kill('SIGKILL')
    await first.over
    const { over } = serve(`
      await database.transaction(({ query }) => query('insert into counts values (2)'))
      say((await database.query('select n from counts')).rows)
      await database.close()`)
    expect(JSON.parse(await over)).toEqual([{ n: 2 }])
  })

  it('is opened anew for the next server when a statement of the one before does not end', async () => {
    const first = serve(`
      const endless = database.query('select count(*) from generate_series(1, 100000000000)')
      say('asked')
      await endless`)
    await first.says('asked')
    first.child.kill('SIGKILL')
    await first.over
    const { over } = serve(`
      say((await database.query("select 1 as one")).rows)
      await database.close()`)
    expect(JSON.parse(await over)).toEqual([{ one: 1 }])
  })

  it('says what a refused statement was refused for', async () => {
    const { over } = serve(`
      await database.exec('create table single (n int primary key); insert into single values (1)')
      say(await database.query('insert into single values (1)').catch(({ code, constraint }) => [code, constraint]))
      await database.close()`)
    expect(JSON.parse(await over)).toEqual(['23505', 'single_pkey'])
  })

  it('is nobody else’s meanwhile, and anybody’s when it is closed', async () => {
    expect(() => lockFolder(folder)).toThrow('is using the data folder')
    await keeper.close()
    lockFolder(folder)()
  })
})
