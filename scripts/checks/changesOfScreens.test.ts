import { isEndpoint, type Endpoint } from '../../shared/contract/src/endpoint.ts'
import * as contract from '../../shared/contract/src/index.ts'
import * as releaseCalls from '../../shared/contract/src/releaseCalls.ts'
import { walkSyntax, type SyntaxNode, type Visit } from '../../shared/build/src/syntaxTree.ts'
import { listFiles, readText } from '../workspace/files.ts'

const isTestCode = (file: string): boolean => /\.test\.tsx?$|InTests\.|\/testing\//.test(file)
const sources = listFiles('.', /\.tsx?$/).filter((file) => /^(?:host|remote-[a-z]+|shared\/kit)\/src\//.test(file))

type Named = SyntaxNode & { readonly name?: string; readonly property?: Named; readonly object?: Named }
type Call = SyntaxNode & { readonly callee: Named; readonly arguments: readonly Named[] }

/** Each call of a function by one of these names, with the place of the call. */
function* findCalls(file: string, names: readonly string[]): Generator<Visit & { node: Call; place: string }> {
  const text = readText(file)
  if (!names.some((name) => text.includes(`${name}(`))) return
  for (const visit of walkSyntax(file, text)) {
    const node = visit.node as Call
    if (node.type !== 'CallExpression' || !names.includes(node.callee.name ?? '')) continue
    const line = text.slice(0, node.start).split('\n').length
    yield { node, parents: visit.parents, place: `${file}:${line}` }
  }
}

const groups = contract as unknown as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
/** `complaint.assign`, or a call of releases by its name alone. */
function toEndpoint(argument: Named | undefined): Endpoint | undefined {
  const found =
    argument?.type === 'MemberExpression'
      ? groups[argument.object?.name ?? '']?.[argument.property?.name ?? '']
      : (releaseCalls as Readonly<Record<string, unknown>>)[argument?.name ?? '']
  return isEndpoint(found) ? found : undefined
}

/** A long question is asked by POST, and changes nothing. */
const isChange = ({ definition: { method, path } }: Endpoint): boolean => method !== 'GET' && !/\/list[A-Z]/.test(path)

/** What a test answers with is what the server says once it has made the change. */
const isMade = ({ arguments: [, reply] }: Call): boolean =>
  reply?.type !== 'NewExpression' && reply?.['value'] !== 'pending' && !/^refus/i.test(reply?.name ?? '')

/** A journey makes it: the page is loaded anew, which jsdom does not do. */
const madeByJourneys: ReadonlySet<string> = new Set(['POST /Release/openPreview'])

/** A change that no test makes is one whose lists, notices and second clicks no rule of the test support looks at. */
it('finds each change that a screen makes in a test of a screen, where it is not only refused', () => {
  const answers = sources.filter(isTestCode).flatMap((file) => [...findCalls(file, ['answer'])])
  const made = new Set([
    ...madeByJourneys,
    ...answers.flatMap(({ node }) => {
      const endpoint = toEndpoint(node.arguments[0])
      return endpoint && isMade(node) ? [endpoint.name] : []
    }),
  ])
  const changes = sources
    .filter((file) => !isTestCode(file))
    .flatMap((file) =>
      [...findCalls(file, ['useAct', 'call'])].flatMap(({ node, place }) => {
        const endpoint = toEndpoint(node.arguments[0])
        return endpoint && isChange(endpoint) ? [{ name: endpoint.name, place }] : []
      }),
    )
  expect(changes.length).toBeGreaterThan(80)
  expect(changes.filter(({ name }) => !made.has(name)).map(({ name, place }) => `${place} ${name}`)).toEqual([])
})

/** What fails without a word, because nobody waits for it: the next look shows how it is. */
const quiet: ReadonlySet<string> = new Set(['host/src/inbox/InboxList.tsx inbox.markRead'])

function takesError({ parents: [around] }: Visit, text: string): boolean {
  const declared = around as SyntaxNode & { id?: Named & { properties?: readonly { key?: Named }[] } }
  if (declared.type !== 'VariableDeclarator') return true
  if (declared.id?.type === 'ObjectPattern')
    return declared.id.properties?.some(({ key }) => key?.name === 'error') ?? false
  // Handed on as it is, or asked for its error.
  return [`${declared.id?.name}.error`, `={${declared.id?.name}}`].some((used) => text.includes(used))
}

it('finds a place for what the server says wherever it may refuse a change [8.03]', () => {
  const found = sources
    .filter((file) => !isTestCode(file))
    .flatMap((file) =>
      [...findCalls(file, ['useAct'])]
        .filter((visit) => !takesError(visit, readText(file)))
        .map(({ node: { arguments: given } }) => `${file} ${given[0]?.object?.name}.${given[0]?.property?.name}`),
    )
  expect(found.sort()).toEqual([...quiet].sort())
})
