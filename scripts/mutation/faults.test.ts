import { applyFault, drawFaults, listFaults } from './faults.ts'

const source = `import { x } from './New.ts'
export const answerMs = 250
export function may(user: { status: 'Activated' }, count: number) {
  if (count > 12) throw new Refusal(404, 'too many')
  return user.status === 'Activated' && !user && x[3]
}`

describe('faults', () => {
  const faults = listFaults('a.ts', source)

  it('are limits, comparisons, conditions, refusals and statuses, never imports, types or places', () => {
    expect(faults.map(({ what }) => what).sort()).toEqual(
      [
        '"!user" is no longer negated',
        '&& becomes ||',
        '&& becomes ||',
        "'Activated' becomes 'Deactivated'",
        '12 becomes 13',
        '250 becomes 2500',
        '404 becomes 403',
        '=== becomes !==',
        '> becomes >=',
        'the refusal "if (count > 12) throw new Refusal(404, \'too many\')" is dropped',
      ].sort(),
    )
  })

  it('ask for an action that other roles have, and drop no word to developers', () => {
    const whats = (text: string) => listFaults('a.ts', text).map(({ what }) => what)
    expect(
      whats("may('Scan', 'Get'); may('Organization', 'DeActivate'); scopeOf(parts, request, 'List')").sort(),
    ).toEqual(["'DeActivate' becomes 'List'", "'Get' becomes 'Transfer'", "'List' becomes 'Transfer'"])
    expect(whats("if (form) throw new Error('A field stands outside of a form')")).toEqual([])
    expect(whats('if (form) {\n  throw notThere()\n}')).toHaveLength(1)
  })

  it('leave numbers alone that are only seen, or that change nothing that anybody gets', () => {
    expect(
      listFaults('a.tsx', 'export const Label = () => <Modal width={1140} open={false} />').map(({ what }) => what),
    ).toEqual(['false becomes true'])
    expect(listFaults('a.ts', 'const packed = deflate(text, { level: 4, chunk: 4 })').map(({ what }) => what)).toEqual([
      '4 becomes 5',
    ])
  })

  it('change one place and leave the rest', () => {
    const fault = faults.find(({ what }) => what === '> becomes >=')
    expect(fault?.line).toBe(4)
    expect(applyFault(source, fault!)).toBe(source.replace('count > 12', 'count >= 12'))
  })

  it('are chosen alike for the same seed, of each kind, spread over the files', () => {
    const many = [...faults, ...listFaults('b.ts', source)]
    const kinds = new Set(many.map(({ kind }) => kind)).size
    const some = drawFaults(many, 2 * kinds, 7)
    expect(some).toEqual(drawFaults(many, 2 * kinds, 7))
    expect(new Set(some.slice(0, kinds).map(({ kind }) => kind)).size).toBe(kinds)
    expect(some.filter(({ file }) => file === 'a.ts')).toHaveLength(kinds)
    expect(drawFaults(many, 1000, 7)).toHaveLength(many.length)
  })
})
