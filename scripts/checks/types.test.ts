import { joinSettings, toGroups } from './types.ts'

const web = { extends: '../web.json', include: ['src'] }
const settings: Readonly<Record<string, object>> = {
  'host/tsconfig.json': web,
  'remote-a/tsconfig.json': web,
  'shared/kit/tsconfig.json': { ...web, extends: '../../web.json' },
  'viewer/tsconfig.json': { ...web, compilerOptions: { types: ['node'] } },
  'server/tsconfig.json': { extends: '../node.json', include: ['**/*.ts'], exclude: ['node_modules'] },
}
const read = (project: string): object => settings[project] ?? {}

describe('projects that are checked as one program', () => {
  it('have the same settings, by whatever path', () => {
    expect(toGroups(Object.keys(settings), read).map(({ projects }) => projects)).toEqual([
      ['host/tsconfig.json', 'remote-a/tsconfig.json', 'shared/kit/tsconfig.json'],
      ['viewer/tsconfig.json'],
      ['server/tsconfig.json'],
    ])
  })

  it('have the files of all of them', () => {
    expect(joinSettings(['host/tsconfig.json', 'shared/kit/tsconfig.json'], '.cache/types/host', read)).toEqual({
      extends: '../../../web.json',
      compilerOptions: undefined,
      include: ['../../../host/src', '../../../shared/kit/src'],
      exclude: [],
    })
    expect(joinSettings(['server/tsconfig.json'], '.cache/types/x', read)).toMatchObject({
      include: ['../../../server/**/*.ts'],
      exclude: ['../../../server/node_modules'],
    })
  })
})
