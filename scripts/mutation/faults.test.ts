import { applied, chosen, faultsOf } from './faults.ts'

const source = `import { x } from './New.ts'
export const limit = 12
export function may(user: { status: 'Activated' }, count: number) {
  if (count > limit) throw new Error('too many')
  return user.status === 'Activated' && !user
}`

describe('faults', () => {
  const faults = faultsOf('a.ts', source)

  it('are limits, comparisons, conditions, refusals and statuses, never imports or types', () => {
    expect(faults.map(({ what }) => what).sort()).toEqual([
      '"!user" is no longer negated',
      '&& becomes ||',
      "'Activated' becomes 'Deactivated'",
      '12 becomes 13',
      '=== becomes !==',
      '> becomes >=',
      'the refusal "if (count > limit) throw new Error(\'too many\')" is dropped',
    ].sort())
  })

  it('leave numbers alone that are only seen', () => {
    expect(faultsOf('a.tsx', 'export const Label = () => <Modal width={1140} open={false} />').map(({ what }) => what)).toEqual(['false becomes true'])
  })

  it('change one place and leave the rest', () => {
    const fault = faults.find(({ what }) => what === '> becomes >=')
    expect(applied(source, fault!)).toBe(source.replace('count > limit', 'count >= limit'))
  })

  it('are chosen alike for the same seed, spread over the files', () => {
    const many = [...faults, ...faultsOf('b.ts', source)]
    const four = chosen(many, 4, 7)
    expect(four).toEqual(chosen(many, 4, 7))
    expect(four.filter(({ file }) => file === 'a.ts')).toHaveLength(2)
  })
})
