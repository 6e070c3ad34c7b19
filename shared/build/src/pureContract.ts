import { createRequire } from 'node:module'
import path from 'node:path'
import type ts from 'typescript-loader-compiler'

const require = createRequire(import.meta.url)
const contract = path.join(path.dirname(require.resolve('@dmp/contract/package.json')), 'src') + path.sep

/** The compiler that ts-loader uses: it turns one file after the other into JavaScript. */
export const loadCompiler = (): typeof ts => require('typescript-loader-compiler') as typeof ts

/**
 * Tells the minifier that loading the contract has no side effects, because its modules only create schemas and calls.
 * A part then carries only the calls that it uses. (A rule enforces that the contract imports nothing but valibot.)
 */
export function pureContract(): ts.CustomTransformers {
  const compiler = loadCompiler()
  return {
    before: [(context) => (file) => (file.fileName.startsWith(contract) ? markPure(compiler, context, file) : file)],
  }
}

function markPure(compiler: typeof ts, context: ts.TransformationContext, file: ts.SourceFile): ts.SourceFile {
  const visit = (node: ts.Node): ts.Node | undefined => {
    // Only the server's API document reads summaries.
    if (
      compiler.isPropertyAssignment(node) &&
      compiler.isIdentifier(node.name) &&
      node.name.text === 'summary' &&
      compiler.isStringLiteral(node.initializer)
    )
      return undefined
    // Functions do not run while the module is loaded.
    if (compiler.isFunctionLike(node)) return node
    const inner = compiler.visitEachChild(node, visit, context)
    const isCall = compiler.isCallExpression(inner) || compiler.isNewExpression(inner)
    return isCall
      ? compiler.addSyntheticLeadingComment(inner, compiler.SyntaxKind.MultiLineCommentTrivia, '#__PURE__', false)
      : inner
  }
  return compiler.visitEachChild(file, visit, context)
}
