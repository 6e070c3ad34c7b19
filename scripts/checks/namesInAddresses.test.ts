import type { Endpoint } from '../../shared/contract/src/endpoint.ts'
import * as scan from '../../shared/contract/src/scan/index.ts'
import { walkSyntax, type SyntaxNode } from '../../shared/build/src/syntaxTree.ts'
import { listFiles, readText } from '../workspace/files.ts'

interface Attribute {
  readonly name: { readonly name: string }
  readonly value?: { readonly expression?: SyntaxNode & { property?: { name: string }; value?: unknown } }
}
type Element = SyntaxNode & { readonly name: { readonly name?: string }; readonly attributes: readonly Attribute[] }

const lists = scan as unknown as Readonly<Record<string, Endpoint>>

/** Whether rows of the list name patients, and so what is typed to find them. */
const namesPatients = (endpoint: Endpoint | undefined): boolean =>
  JSON.stringify(endpoint?.definition.answer ?? null)?.includes('"patientName"') ?? false

/** An address is seen by others, stays in histories, and goes into logs. */
it('keeps what is searched for in lists of patients out of the address, or lets the settings say so [P23]', () => {
  const tables = listFiles('.', /\.tsx$/)
    .filter((file) => /^(?:host|remote-[a-z]+)\/src\//.test(file) && !file.includes('.test.'))
    .flatMap((file) =>
      [...walkSyntax(file, readText(file))].flatMap(({ node }) => {
        const { name, attributes } = node as Element
        if (node.type !== 'JSXOpeningElement' || name.name !== 'DataTable') return []
        const find = (wanted: string) => attributes.find((attribute) => attribute.name?.name === wanted)?.value
        const endpoint = lists[find('endpoint')?.expression?.property?.name ?? '']
        return [
          { file, isOfPatients: file.startsWith('remote-scan') && namesPatients(endpoint), says: find('searchInUrl') },
        ]
      }),
    )
    .filter(({ isOfPatients }) => isOfPatients)
  expect(tables.length).toBeGreaterThan(4)
  expect(tables.filter(({ says }) => says?.expression === undefined || says.expression.value === true)).toEqual([])
})
