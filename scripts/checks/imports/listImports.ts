import { parseSync } from 'oxc-parser'
import { walkSyntax, type SyntaxNode } from '../../../shared/build/src/syntaxTree.ts'

/** What a source asks for. */
export interface NamedImport {
  readonly name: string
  readonly isDynamic: boolean
  /** `import type` and `export type`, which leave nothing when the program runs. */
  readonly isType: boolean
}

interface CallNode extends SyntaxNode {
  readonly callee?: { readonly name?: string }
  readonly arguments?: readonly { readonly value?: unknown }[]
  readonly source?: { readonly value?: unknown }
}

/** Every module that a source names, as dependency-cruiser counts them. Most need not be read as code for it. */
export function listImports(file: string, text: string): NamedImport[] {
  const { staticImports, staticExports } = parseSync(file, text).module
  const isType = (start: number): boolean => /^(?:import|export)\s+type\b/.test(text.slice(start, start + 20))
  return [
    ...staticImports.map(({ start, moduleRequest }) => ({
      name: moduleRequest.value,
      isDynamic: false,
      isType: isType(start),
    })),
    ...staticExports.flatMap(({ start, entries }) =>
      entries.flatMap(({ moduleRequest }) =>
        moduleRequest ? [{ name: moduleRequest.value, isDynamic: false, isType: isType(start) }] : [],
      ),
    ),
    ...(/\b(?:import|require)\s*\(/.test(text) ? listCalls(file, text) : []),
  ]
}

/** `import('…')`, `import('…').Type` and `require('…')`. */
function listCalls(file: string, text: string): NamedImport[] {
  const found: NamedImport[] = []
  for (const { node } of walkSyntax(file, text)) {
    const { type, source, callee, arguments: [argument] = [] } = node as CallNode
    const isAsked = type === 'CallExpression' && callee?.name === 'require'
    const name = type === 'ImportExpression' || type === 'TSImportType' ? source?.value : isAsked && argument?.value
    if (typeof name === 'string')
      found.push({ name, isDynamic: type === 'ImportExpression', isType: type === 'TSImportType' })
  }
  return found
}
