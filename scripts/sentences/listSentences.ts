import { lineAt, listFiles, readText } from '../workspace/files.ts'
import { walkSyntax, type SyntaxNode, type Visit } from '../workspace/syntaxTree.ts'

export interface Sentence {
  readonly file: string
  readonly line: number
  /** As people read it; `{…}` where a value is put in. */
  readonly text: string
}

/** Tests, examples, demo data and benches say nothing to people who use the product. */
const isSource = (file: string): boolean =>
  /\.(?:ts|tsx|mjs)$/.test(file) &&
  !/\.(?:test|bench|e2e)\.tsx?$|InTests\.tsx?$|\/(?:testing|examples|migrations|seed)\/|^e2e\/|^scripts\/(?:bench|mutation)\/|\/demo\w*Texts\.ts$|\.config\.\w+$/.test(
    file,
  )

/** Properties, attributes and parameters whose text is shown, also when it is a single word. */
const shownNames =
  /^(?:title|label|short|help|placeholder|alt|text|subject|heading|message|hint|about|aria-label|\w+(?:Label|Title|Text|Message))$/
/** Attributes and properties that never hold a sentence, though their text may have spaces. */
const hiddenNames =
  /^(?:className|class|style|d|points|viewBox|transform|accept|sizes|media|path|element|test|pattern)$/

/** Every sentence of the product that people read, in the order of files and lines. */
export function listSentences(): Sentence[] {
  return listFiles('.', /\.(?:ts|tsx|mjs)$/)
    .filter(isSource)
    .flatMap((file) => findSentences(file, readText(file)))
}

/**
 * JSX text, shown attributes and properties, and every string or template that reads as a sentence: refusals,
 * validation messages, mails and what the command line prints.
 */
export function findSentences(file: string, source: string): Sentence[] {
  const sentences: (Sentence & { start: number })[] = []
  const walk = walkSyntax(file, source)
  for (let step = walk.next(); !step.done;) {
    const visit = step.value
    const text = isCode(visit.node) ? undefined : readSentence(visit, source)
    if (text !== undefined) {
      const { start } = visit.node
      sentences.push({ file, line: lineAt(source, start + leadingSpace(visit.node, source)), text, start })
    }
    step = walk.next(!isCode(visit.node))
  }
  return sentences.sort((a, b) => a.start - b.start).map(({ start: _start, ...sentence }) => sentence)
}

/** Not read: types, imports, other languages in a tagged template. */
const isCode = ({ type }: SyntaxNode): boolean =>
  type.startsWith('TSType') || type.startsWith('Import') || type === 'TaggedTemplateExpression'

const leadingSpace = ({ type, start, end }: SyntaxNode, source: string): number =>
  type === 'JSXText' ? source.slice(start, end).search(/\S|$/) : 0

function readSentence({ node, parents }: Visit, source: string): string | undefined {
  const text = toText(node, source)
  if (text === undefined || !/\p{L}{2}/u.test(text)) return undefined
  if (node.type === 'JSXText') return text
  const name = findName(parents[0], node)
  if (hiddenNames.test(name)) return undefined
  return readsAsSentence(text) || (shownNames.test(name) && /^\p{Lu}/u.test(text)) ? text : undefined
}

function toText(node: SyntaxNode, source: string): string | undefined {
  if (node.type === 'JSXText') return tidy(source.slice(node.start, node.end))
  if (node.type === 'Literal') return typeof node.value === 'string' ? tidy(node.value) : undefined
  if (node.type !== 'TemplateLiteral') return undefined
  const quasis = node.quasis as readonly { value: { cooked: string } }[]
  return tidy(quasis.map(({ value }) => value.cooked).join('{…}'))
}

const tidy = (text: string): string =>
  text.replaceAll('&apos;', "'").replaceAll('&amp;', '&').replace(/\s+/g, ' ').trim()

/** Begins as a sentence does, and has a second word that is neither code nor an address. */
const readsAsSentence = (text: string): boolean =>
  /^(?:["'“(]?\p{Lu}|\{…\} \p{Ll}|… )/u.test(text) &&
  /^\S+ (?:\S*\p{L}{2}|\{…\})/u.test(text) &&
  !/^(?:select|insert|update|delete|create|alter|with) |^[A-Z_]+ [A-Z_]+$|[;{]$/.test(text)

/** The name of the attribute, property or variable that holds the text. */
function findName(parent: SyntaxNode | undefined, node: SyntaxNode): string {
  const holder = (
    parent?.type === 'JSXAttribute' ? parent.name : parent?.type === 'Property' ? parent.key : undefined
  ) as { readonly name?: string; readonly value?: string } | undefined
  return holder === (node as unknown) ? '' : (holder?.name ?? holder?.value ?? '')
}

/** Turns of phrase that a native reader stumbles over. */
const oddWords = /\b(?:who|what)ever\b|\bnobody\b|\bsomebody\b|\bis none\b|\banswers?\b|\bmeanwhile\b|\bwants? to be\b/i

export const isOdd = ({ text }: Sentence): boolean => oddWords.test(text)
