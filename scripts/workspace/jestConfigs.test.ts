import { findJestConfigs, nodeTests, webTests } from './jestConfigs.ts'
import { node, web, remotes } from '../jest/projects.mjs'

const tests = ['remote-scan/src/App.test.tsx', 'server/src/modules/scan/scan.test.ts', 'shared/kit/src/a.test.ts']

it.each([
  [['remote-scan'], [webTests]],
  [['modules/scan'], [nodeTests]],
  [
    ['shared/kit', 'server'],
    [webTests, nodeTests],
  ],
  [
    ['-t', '3.12'],
    [webTests, nodeTests],
  ],
  [['remote-(scan|user)'], [webTests, nodeTests]],
])('npm test -- %j starts what has such tests', (words, configs) => {
  expect(findJestConfigs(words, tests)).toEqual(configs)
})

it('knows of every package which of the two runs its tests', async () => {
  const { default: inBrowser } = (await import('../../jest.config.mjs')) as { default: { projects: Project[] } }
  const { default: inNode } = (await import('../../jest.node.config.mjs')) as { default: { projects: Project[] } }
  expect(remotes.length).toBeGreaterThan(0)
  expect([web, node].every((make) => typeof make === 'function')).toBe(true)
  for (const [projects, config] of [
    [inBrowser.projects, webTests],
    [inNode.projects, nodeTests],
  ] as const)
    for (const { rootDir } of projects) {
      const folder = rootDir
        .replace(/\/$/, '')
        .split('/')
        .slice(-2)
        .join('/')
        .replace(/^(?!shared\/).*\//, '')
      expect([folder, findJestConfigs([`${folder}/`], [`${folder}/src/a.test.ts`])]).toEqual([folder, [config]])
    }
})

interface Project {
  readonly rootDir: string
}
