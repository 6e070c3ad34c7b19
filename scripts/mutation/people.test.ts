import { applyFault, listFaults, type Kind } from './faults.ts'
import { isProduct } from './product.ts'

/** The source with each fault of the kind, one at a time. */
const seeded = (kind: Kind, source: string): string[] =>
  listFaults('a.tsx', source, 'people')
    .filter((fault) => fault.kind === kind)
    .map((fault) => applyFault(source, fault).replaceAll(/\s+/g, ' ').trim())

describe('faults that people make', () => {
  it.each<[Kind, string, string[]]>([
    [
      'await',
      'async () => { await add(); await tell(); one() }',
      ['async () => { void add(); await tell(); one() }', 'async () => { await add(); void tell(); one() }'],
    ],
    ['await', 'async () => { try { return await ask() } catch {} }', ['async () => { try { return ask() } catch {} }']],
    ['early', 'async () => { await add(); return null }', ['async () => { void add(); return null }']],
    ['where', "db.selectFrom('a').where('b', '=', c).execute()", ["db.selectFrom('a').execute()"]],
    ['where', 'rows.filter(isOpen).map(toRow)', ['rows.map(toRow)']],
    ['signal', 'fetch(url, { method, signal })', ['fetch(url, { method })']],
    ['signal', 'read(path, signal)', ['read(path)']],
    ['signal', 'signal?.throwIfAborted()', ['']],
    ['cleanup', 'useEffect(() => { on(); return () => off() }, [])', ['useEffect(() => { on(); }, [])']],
    ['cleanup', 'useEffect(() => onNews(show), [])', ['useEffect(() => void onNews(show), [])']],
    ['cleanup', 'try { read() } finally { file.close() }', ['try { read() } finally {}', 'try { read() } finally { }']],
    ['cleanup', 'clearTimeout(timer); thumbnails.warm(key)', ['thumbnails.warm(key)']],
    [
      'invalidation',
      'useAct(a, { refreshes: [b.list, c.list] })',
      ['useAct(a, { })', 'useAct(a, { refreshes: [c.list] })', 'useAct(a, { refreshes: [b.list] })'],
    ],
    ['invalidation', 'cache.delete(key)', ['']],
    [
      'audit',
      "async () => { await audit({ event: 'A', organizationId }); return null }",
      ['async () => { return null }', "async () => { await audit({ event: 'A' }); return null }"],
    ],
    [
      'header',
      "reply.headers({ 'cache-control': 'no-store', vary: 'origin' })",
      ["reply.headers({ vary: 'origin' })", "reply.headers({ 'cache-control': 'no-store' })"],
    ],
    ['header', "reply.header('etag', etag).send(text)", ['reply.send(text)']],
    ['swap', 'const a = { first: row.first, last: row.last }', ['const a = { first: row.last, last: row.first }']],
    ['swap', 'draw({ width, height })', ['draw({ width: height, height: width })']],
    ['swap', 'link(studyUID, seriesUID)', ['link(seriesUID, studyUID)']],
    [
      'swap',
      'const c = [{ title: "A", value: (r) => r.a }, { title: "B", value: (r) => r.b }]',
      ['const c = [{ title: "A", value: (r) => r.b }, { title: "B", value: (r) => r.a }]'],
    ],
    ['unit', 'const ms = seconds * 1000', ['const ms = seconds']],
    ['unit', "sql`now() - interval '1 day'`", ["sql`now() - interval '1 hour'`"]],
    [
      'zone',
      'date.getUTCDate() + other.getHours()',
      ['date.getDate() + other.getHours()', 'date.getUTCDate() + other.getUTCHours()'],
    ],
    ['zone', "format({ timeZone: 'UTC', day })", ['format({ day })']],
    ['repeat', 'function f() { if (isOver) return; end() }', ['function f() { end() }']],
    ['repeat', '<Button disabled={busy} onClick={send} />', ['<Button onClick={send} />']],
    ['repeat', "add('end', run, { once: true })", ["add('end', run, { })"]],
  ])('%s: %s', (kind, source, expected) => {
    expect(seeded(kind, source).sort()).toEqual(expected.sort())
  })

  it.each<[Kind, string]>([
    ['await', 'async () => { await pause(10); await setImmediate(); one() }'],
    ['early', 'async () => { await socket.close() }'],
    ['where', 'query.limit(1)'],
    ['swap', 'Math.max(studyUID, seriesUID)'],
    ['swap', 'tell(userId, name)'],
    ['repeat', 'useEffect(() => onNews(show), [show])'],
    ['repeat', 'if (isMissing) return undefined'],
    ['repeat', 'if (isDone) for (const one of all) one()'],
  ])('%s: never where nobody could notice: %s', (kind, source) => {
    expect(seeded(kind, source)).toEqual([])
  })

  it('are only in code that customers run', () => {
    const files = [
      'server/src/app.ts',
      'server/src/app.test.ts',
      'server/src/a/fooInTests.ts',
      'server/src/a/demoUsers.ts',
    ]
    expect(files.filter(isProduct)).toEqual(['server/src/app.ts'])
  })
})
