import { sql } from 'kysely'
import { exported, northId, server, startWithScans } from './exportInTests.ts'
import { clearPieces, PieceWriter, readFiles, readPieces, type PartFile, type PartPlace } from './exportPieces.ts'
import { planSets, setLimits } from './planSets.ts'

let place: PartPlace
beforeAll(async () => {
  await startWithScans()
  const { id: exportId } = await exported()
  place = { organizationId: northId, exportId, position: 900 }
})
afterAll(() => server.close())

const mebibyte = 2 ** 20
/** No two places of it look alike. */
const bytesOf = (length: number): Buffer =>
  Buffer.from(Uint32Array.from({ length: Math.ceil(length / 4) }, (_, at) => at * 2_654_435_761).buffer).subarray(
    0,
    length,
  )
/** In chunks of a length that fits no piece. */
function* inChunks(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 300_007) yield bytes.subarray(at, at + 300_007)
}
const read = async (file: PartFile, start: number, end: number): Promise<Buffer> => {
  const pieces: Buffer[] = []
  for await (const piece of readPieces(server.deps, place, 'piece' in file ? file.piece : -1, { start, end }))
    pieces.push(piece)
  return Buffer.concat(pieces)
}

describe('what an export writes itself', () => {
  it('may have any length, and any stretch of it is read [P70]', async () => {
    const writer = new PieceWriter(server.deps, place)
    const lengths = [2.5 * mebibyte, 0, mebibyte, 10, 2 * mebibyte]
    const files: PartFile[] = []
    for (const [index, length] of lengths.entries())
      files.push(await writer.write(`${index}.json`, inChunks(bytesOf(length))))
    await writer.list(files)
    expect((await readFiles(server.deps, place)).map(({ size }) => size)).toEqual(lengths)
    for (const [index, file] of files.entries()) {
      const bytes = bytesOf(lengths[index] ?? 0)
      for (const [start, end] of [
        [0, bytes.length],
        [mebibyte - 1, mebibyte + 1],
        [mebibyte, bytes.length],
      ] as const)
        if (end <= bytes.length) expect((await read(file, start, end)).equals(bytes.subarray(start, end))).toBe(true)
    }
    await expect(read(files[3]!, 0, 11)).rejects.toMatchObject({ fault: 'DAMAGED' })
    await clearPieces(server.deps.db, place)
    await expect(readFiles(server.deps, place)).rejects.toMatchObject({ fault: 'MISSING' })
  })
})

describe('the sets of an export', () => {
  const plan = async (start?: Parameters<typeof planSets>[2]) => {
    const sets = []
    for await (const set of planSets(server.deps.db, northId, start)) sets.push(set)
    return sets
  }
  const before = { ...setLimits }
  afterEach(() => void Object.assign(setLimits, before))

  it('are full with as many objects or bytes as one may have, and a larger series is one by itself [P70]', async () => {
    // Two series of North have two and three objects.
    const sizes = async () => (await plan()).map(({ series }) => series.length)
    const whole = await sizes()
    const { rows } = await sql<{ objects: number; bytes: number }>`select count(*)::int as objects,
      sum(byte_size)::float8 as bytes from instances where organization_id = ${northId}::uuid`.execute(server.deps.db)
    const all = rows[0]!
    expect(whole).toHaveLength(1)
    Object.assign(setLimits, all)
    expect(await sizes()).toEqual(whole)
    Object.assign(setLimits, { ...all, objects: all.objects - 1 })
    expect((await sizes()).length).toBe(2)
    Object.assign(setLimits, { ...all, bytes: all.bytes - 1 })
    expect((await sizes()).length).toBe(2)
    Object.assign(setLimits, { objects: 1, bytes: 1 })
    expect(await sizes()).toEqual(Array<number>(whole[0] ?? 0).fill(1))
  })

  it('have each series once, in the order of their arrival, however many there are [P70]', async () => {
    const columns = (table: string) =>
      sql<{ names: string }>`select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as names
        from information_schema.columns where table_name = ${table} and is_generated = 'NEVER'
          and column_name not in ('series_uid', 'sop_instance_uid', 'created_date', 'image_set_id')`.execute(
        server.deps.db,
      )
    const names = async (table: string) => sql.raw((await columns(table)).rows[0]?.names ?? '')
    const [ofSeries, ofInstances] = [await names('series'), await names('instances')]
    await sql`insert into series (series_uid, image_set_id, created_date, ${ofSeries})
      select '1.7.9.' || n, md5(n::text), now() + n % 600 * interval '1 second', ${ofSeries}
      from series, generate_series(1, 1100) n
      where organization_id = ${northId}::uuid and series_uid = '1.7.1'`.execute(server.deps.db)
    await sql`insert into instances (series_uid, sop_instance_uid, ${ofInstances})
      select '1.7.9.' || n, '1.7.9.' || n || '.1', ${ofInstances} from instances, generate_series(1, 1100) n
      where organization_id = ${northId}::uuid and sop_instance_uid = '1.7.1.1'`.execute(server.deps.db)
    const [one] = await server.deps.db
      .selectFrom('instances')
      .select('byte_size')
      .where('sop_instance_uid', '=', '1.7.1.1')
      .execute()
    setLimits.bytes = 400 * Number(one?.byte_size)
    const sets = await plan()
    const series = sets.flatMap((set) => set.series)
    expect(new Set(series).size).toBe(series.length)
    expect(series.filter((uid) => uid.startsWith('1.7.9.'))).toHaveLength(1100)
    const ordered = await sql<{ series_uid: string }>`select series_uid from series s
      where organization_id = ${northId}::uuid and exists (select from instances i
        where i.organization_id = s.organization_id and i.series_uid = s.series_uid)
      order by created_date, series_uid`.execute(server.deps.db)
    expect(series).toEqual(ordered.rows.map(({ series_uid: uid }) => uid))
    expect([3, 4]).toContain(sets.length)
    const [first, ...rest] = sets
    expect(await plan(first?.last)).toEqual(rest)
  })
})
