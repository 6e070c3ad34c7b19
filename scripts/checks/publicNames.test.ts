import { comparePublicNames, listPublicNames } from './publicNames.ts'

it('lists what contract and kit export, types and what is passed on included', () => {
  const namesOf = (folder: string) => listPublicNames(folder).map(({ name }) => name)
  expect(namesOf('shared/kit')).toEqual(
    expect.arrayContaining(['@dmp/kit/table DataTable', '@dmp/kit/router RemoteProps']),
  )
  expect(namesOf('shared/contract')).toEqual(
    expect.arrayContaining(['@dmp/contract/remote Declaration', '@dmp/contract complaint', '@dmp/contract limits']),
  )
})

it('tells of an export that leaves, which stays in the list, and takes in what is new', () => {
  const { problems, list } = comparePublicNames(['@dmp/kit New'], ['@dmp/kit Old'], 'exports.txt')
  expect(problems).toEqual([
    expect.stringMatching(/^exports\.txt: @dmp\/kit Old is no longer exported.* major changeset\.$/),
    expect.stringMatching(/^exports\.txt: @dmp\/kit New is new/),
  ])
  expect(list).toEqual(['@dmp/kit New', '@dmp/kit Old'])
})

it('knows what is deprecated, since when and what to take instead, also where a name is only passed on', () => {
  const deprecated = (folder: string) =>
    Object.fromEntries(listPublicNames(folder).map(({ name, deprecated: says }) => [name, says]))
  const kit = deprecated('shared/kit')
  expect(kit['@dmp/kit isPassing']).toBe('since 1.2: `isTemporary`')
  expect(kit['@dmp/kit/router wanting']).toContain('`returnTo` and `toReturnState`')
  expect(kit['@dmp/kit isTemporary']).toBeUndefined()
  expect(deprecated('shared/contract')['@dmp/contract/policy toPolicy']).toBeUndefined()
})
