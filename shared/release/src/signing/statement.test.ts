import { isAbout, toFacts } from './statement.ts'
import { publish } from '../publish.ts'
import { aBuild, aStore } from '../testing/aBuild.ts'

const aRelease = (code: string, commit = 'abc') => publish(aStore(), aBuild('remote-scan', code), { commit })
async function aStatement() {
  const release = await aRelease('one')
  const { subject, externalParameters, internalParameters, sources, metadata } = toFacts(release)
  const buildDefinition = { externalParameters, internalParameters, resolvedDependencies: [sources] }
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: { buildDefinition, runDetails: { metadata } },
  }
  return { release, statement, buildDefinition }
}

it('a statement is about the release of which it says all, and about no other [P43]', async () => {
  const { release, statement, buildDefinition } = await aStatement()
  expect(isAbout(statement, release)).toBe(true)
  expect(isAbout(statement, await aRelease('two'))).toBe(false)
  const { predicate, subject } = statement
  const others = [
    { _type: 'https://in-toto.io/Statement/v0.1' },
    { predicateType: 'https://slsa.dev/provenance/v0.2' },
    { subject: subject.slice(1) },
    { subject: [...subject, { name: 'more.js', digest: { sha384: '00' } }] },
    { predicate: { ...predicate, runDetails: {} } },
    { predicate: { ...predicate, buildDefinition: { ...buildDefinition, resolvedDependencies: [] } } },
    { predicate: { ...predicate, buildDefinition: { ...buildDefinition, externalParameters: { part: 'host' } } } },
    { predicate: { ...predicate, buildDefinition: { ...buildDefinition, internalParameters: { isClean: true } } } },
    { predicate: undefined },
  ]
  for (const more of others) expect([more, isAbout({ ...statement, ...more }, release)]).toEqual([more, false])
  for (const nothing of [null, undefined, 'signed', {}]) expect(isAbout(nothing, release)).toBe(false)
})

it.each([
  ['abc', true],
  ['abc+', false],
  ['unknown', false],
])('a build of the commit %s is clean: %p [P43]', async (commit, isClean) => {
  const facts = toFacts({ ...(await aRelease('one')), commit })
  expect([facts.internalParameters.isClean, facts.sources.digest.gitCommit]).toEqual([isClean, commit.replace('+', '')])
})
