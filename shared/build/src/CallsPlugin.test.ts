import { complaint } from '@dmp/contract'
import { calls as allCalls } from '@dmp/contract/calls'
import { isEndpoint, type Endpoint } from '@dmp/contract/endpoint'
import { buildWith } from './buildInTests.ts'
import { CallsPlugin } from './CallsPlugin.ts'
import { findCallMisfit, toCallShape, type CallShape, type Shape } from './callShapes.ts'

const findCalls = async (source: string): Promise<string[]> =>
  Object.keys((await buildWith(new CallsPlugin(), 'calls.json', source)) as object)

const calls: readonly Endpoint[] = Object.values(complaint as object).filter(isEndpoint)
const ofComplaint = calls.map(({ name }) => name).sort()

describe('the calls of a build', () => {
  it.each([
    ['by a member', `import { complaint } from '@dmp/contract'; show(complaint.list)`, ['GET /Complaint/list']],
    [
      'by name',
      `import { add, get as one } from '@dmp/contract/complaint'; show(add, one)`,
      ['GET /Complaint/get', 'POST /Complaint/add'],
    ],
    ['of a namespace', `import * as c from '@dmp/contract/complaint'; show(c.add.definition)`, ['POST /Complaint/add']],
    ['of a whole module', `import { complaint } from '@dmp/contract'; show(complaint)`, ofComplaint],
    ['none', `import { limits } from '@dmp/contract'; show(limits.apiTokenMaxDays)`, []],
    ['not used', `import { complaint } from '@dmp/contract'; show(1)`, []],
  ])('are those that it takes from the contract: %s [P58]', async (_how, source, made) => {
    expect(await findCalls(source)).toEqual(made)
  })
})

describe('a call that a part makes up itself [P97]', () => {
  it.each([
    `import { endpoint } from '@dmp/contract/endpoint'; show(endpoint({ method: 'GET', path: '/Report/list' }))`,
    `import * as made from '@dmp/contract/endpoint'; show(made.endpoint({ method: 'GET', path: '/Report/list' }))`,
    `import * as made from '@dmp/contract/endpoint'; show(made)`,
  ])('is refused by the name of its file: %s', async (source) => {
    await expect(findCalls(source)).rejects.toThrow(/main\.js makes a call of its own .* ask the platform's team/)
  })

  it('leaves alone who only asks whether something is a call', async () => {
    expect(await findCalls(`import { isEndpoint } from '@dmp/contract/endpoint'; show(isEndpoint({}))`)).toEqual([])
  })
})

const text: Shape = { is: 'text' }
const call = (takes: Record<string, Shape>, gives: Shape = { is: 'nothing' }, optional: string[] = []): CallShape => ({
  method: 'GET',
  path: '/x',
  takes: { is: 'object', of: takes, ...(optional.length > 0 ? { optional } : {}) },
  gives,
})
const row = (of: Record<string, Shape>, optional: string[] = []): Shape => ({
  is: 'list',
  of: { is: 'object', of, optional },
})
const oneOf = (...of: string[]): Shape => ({ is: 'one of', of })

describe('a page of another age and a server', () => {
  it.each([
    [
      'the server takes more, which may be left out',
      call({ a: text }),
      call({ a: text, b: text }, undefined, ['b']),
      undefined,
    ],
    ['the server wants more', call({ a: text }), call({ a: text, b: text }), 'it sends no “b”'],
    [
      'the server wants what the page may leave out',
      call({ a: text }, undefined, ['a']),
      call({ a: text }),
      'it sends “a” only sometimes',
    ],
    ['the page sends what is gone', call({ a: text, b: text }), call({ a: text }), 'it sends “b”, which is not known'],
    [
      'the page sends a value that is gone',
      call({ a: oneOf('x', 'y') }),
      call({ a: oneOf('x') }),
      'it sends “a” as “y”, which is not known',
    ],
    ['the server answers more', call({}, row({ a: text })), call({}, row({ a: text, b: text })), undefined],
    [
      'the server answers less',
      call({}, row({ a: text, b: text })),
      call({}, row({ a: text })),
      'its answer has no “b”',
    ],
    [
      'the server answers less of what the page can miss',
      call({}, row({ b: text }, ['b'])),
      call({}, row({})),
      undefined,
    ],
    [
      'the server answers nothing where something was',
      call({}, row({ a: text })),
      call({}, row({ a: { is: 'maybe', of: text } })),
      'its answer has “a”, which may be empty and may not be there',
    ],
    ['the server answers a new value', call({}, oneOf('x')), call({}, oneOf('x', 'y')), undefined],
    [
      'the server answers another kind',
      call({}, row({ a: text })),
      call({}, row({ a: { is: 'number' } })),
      'its answer has “a” as number in place of text',
    ],
  ])('%s [P58]', (_what, made, answered, misfit) => {
    expect(findCallMisfit(made, answered)).toBe(misfit)
  })

  it('fit where both are of now, call by call [P58]', () => {
    for (const one of allCalls)
      expect([one.name, findCallMisfit(toCallShape(one), toCallShape(one))]).toEqual([one.name, undefined])
  })
})
