import fc from 'fast-check'
import { canonicalJson, createAuditKeys, hashAuditRow, isOwnHead, keyedVersion, signHead } from './auditHash.ts'

const keys = createAuditKeys(['a'.repeat(40), 'b'.repeat(40)])
const row = {
  id: '00000000-0000-4000-8000-000000000001',
  chain: 'platform',
  position: 1,
  at: new Date(0),
  event: 'SignedIn',
  outcome: 'success' as const,
  actor_id: null,
  organization_id: null,
  subject: {},
  request_id: 'r',
  address: 'a',
  previous_hash: '',
  hash_version: keyedVersion,
  key_id: keys.current.id,
}
/** What a database of JSON keeps of a value. */
const kept = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown
const shuffled = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(shuffled)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .toReversed()
            .map(([key, field]) => [key, shuffled(field)]),
        )
      : value

describe('the canonical text of a subject [P24]', () => {
  it('is equal exactly for what is equal as JSON, so [] and {} differ', () => {
    expect(canonicalJson([])).not.toBe(canonicalJson({}))
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        // Node compares deeply, without regard to the order of keys; -0 and 0 are one number in JSON.
        const isEqual = (a: unknown, b: unknown): boolean => {
          try {
            expect(a).toEqual(b)
            return true
          } catch {
            return false
          }
        }
        expect(canonicalJson(one) === canonicalJson(other)).toBe(isEqual(kept(one), kept(other)))
      }),
      { numRuns: 500 },
    )
  })

  it('is the same after the database forgot the order of keys, and can be read back', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(shuffled(kept(value)))).toBe(canonicalJson(value))
        expect(JSON.parse(canonicalJson(value))).toEqual(kept(value))
      }),
      { numRuns: 1000 },
    )
  })

  it('distinguishes rows that differ in the kind of one empty value alone', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 4 }), (path) => {
        const nest = (leaf: unknown) => path.reduceRight<unknown>((inner, key) => ({ [`k${key}`]: inner }), leaf)
        const hash = (leaf: unknown) => hashAuditRow({ ...row, subject: { at: nest(leaf) } }, keys)
        expect(new Set([hash([]), hash({}), hash(null), hash('')]).size).toBe(4)
      }),
    )
  })
})

describe('the keys of the chain [P24]', () => {
  it('make one row different hashes, and are named without being told', () => {
    const other = createAuditKeys(['b'.repeat(40)])
    const again = { ...row, key_id: other.current.id }
    expect(hashAuditRow(again, other)).toBe(hashAuditRow(again, keys))
    expect(hashAuditRow(again, other)).not.toBe(hashAuditRow(row, keys))
    expect([hashAuditRow(row, other), hashAuditRow({ ...row, hash_version: 3 }, keys)]).toEqual([undefined, undefined])
    expect(keys.current.id).toMatch(/^[0-9a-f]{12}$/)
  })

  it('sign heads, each field of them', () => {
    const head = signHead({ chain: 'platform', position: 7, hash: 'h', at: 't' }, keys)
    expect(isOwnHead(head, keys)).toBe(true)
    for (const change of [{ chain: 'x' }, { position: 8 }, { hash: 'x' }, { at: 'x' }, { keyId: 'x' }, { mac: 'x' }])
      expect(isOwnHead({ ...head, ...change }, keys)).toBe(false)
  })
})
