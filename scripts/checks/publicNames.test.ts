import { comparePublicNames, listPublicNames } from './publicNames.ts'

it('lists what contract and kit export, types and what is passed on included', () => {
  expect(listPublicNames('shared/kit')).toEqual(
    expect.arrayContaining(['@dmp/kit/table DataTable', '@dmp/kit/router RemoteProps']),
  )
  expect(listPublicNames('shared/contract')).toEqual(
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
