import { lineAt, listFiles, listRemotes, readText } from '../workspace/files.ts'
import { isSentence } from '../../shared/build/src/shownTexts.ts'
import { walkSyntax, type SyntaxNode } from '../../shared/build/src/syntaxTree.ts'

export interface Text {
  readonly file: string
  readonly line: number
  /** As people read it; `{…}` where a value is put in. */
  readonly text: string
  /** False of words and codes that do not read as a sentence. */
  readonly isSentence: boolean
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
export const listSentences = (): Text[] => listTexts().filter(({ isSentence }) => isSentence)

/** Every text of the product, in the order of files and lines; also the names that remotes declare for navigation. */
export const listTexts = (): Text[] => [
  ...listSources().flatMap(({ file, source }) => findTexts(file, source)),
  ...listRemotes().flatMap((remote) => findDeclaredNames(`${remote}/remote.json`)),
]

function findDeclaredNames(file: string): Text[] {
  const source = readText(file)
  const names = source.matchAll(/"(?:alias|group)": "([^"]+)"/g)
  return [...names].map(({ index, 1: text = '' }) => ({ file, line: lineAt(source, index), text, isSentence: true }))
}

const listSources = (): { file: string; source: string }[] =>
  listFiles('.', /\.(?:ts|tsx|mjs)$/)
    .filter(isSource)
    .map((file) => ({ file, source: readText(file) }))

/**
 * Sentences are JSX text, shown attributes and properties, and every string or template that reads as one: refusals,
 * validation messages, mails and what the command line prints.
 */
export function findTexts(file: string, source: string): Text[] {
  const texts: (Text & { start: number })[] = []
  const walk = walkSyntax(file, source)
  for (let step = walk.next(); !step.done;) {
    const { node, parents } = step.value
    const start = node.start + leadingSpace(node, source)
    const text = isCode(node) ? undefined : toText(node, source)
    if (text !== undefined && /\p{L}{2}|\d/u.test(text))
      texts.push({ file, line: lineAt(source, start), text, start, isSentence: isShown(node, parents, text) })
    step = walk.next(!isCode(node))
  }
  return texts.sort((a, b) => a.start - b.start).map(({ start: _start, ...text }) => text)
}

/** Not read: types, imports, other languages in a tagged template. */
const isCode = ({ type }: SyntaxNode): boolean =>
  type.startsWith('TSType') || type.startsWith('Import') || type === 'TaggedTemplateExpression'

/** An element begins where its first word is, not at its tag. */
function leadingSpace(node: SyntaxNode, source: string): number {
  const words = isElement(node) ? childrenOf(node).find(isWords(source)) : node
  if (words?.type !== 'JSXText') return 0
  return words.start - node.start + source.slice(words.start, words.end).search(/\S|$/)
}

function isShown(node: SyntaxNode, parents: readonly SyntaxNode[], text: string): boolean {
  if (!/\p{L}{2}/u.test(text)) return false
  if (isElement(node)) return true
  const name = findName(parents[0], node)
  if (hiddenNames.test(name)) return false
  return isSentence(text) || (shownNames.test(name) && /^[\p{Lu}\d]/u.test(text))
}

/** The text of a string, a template, or an element whose words stand between its values and inner elements. */
function toText(node: SyntaxNode, source: string): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? tidy(node.value) : undefined
  if (node.type === 'TemplateLiteral') return joinTemplate(node)
  if (!isElement(node) || !childrenOf(node).some(isWords(source))) return undefined
  const pieces = childrenOf(node).map((child) => joinChild(child, source))
  // Icons and fields before and after the words are no part of the sentence.
  while (pieces[0]?.isAside) pieces.shift()
  while (pieces.at(-1)?.isAside) pieces.pop()
  return tidy(pieces.map(({ text }) => text).join(''))
}

const isElement = ({ type }: SyntaxNode): boolean => type === 'JSXElement' || type === 'JSXFragment'

const childrenOf = (node: SyntaxNode): readonly SyntaxNode[] => node.children as readonly SyntaxNode[]

const isWords =
  (source: string) =>
  ({ type, start, end }: SyntaxNode): boolean =>
    type === 'JSXText' && /\S/.test(source.slice(start, end))

const joinTemplate = (node: SyntaxNode): string =>
  tidy((node.quasis as readonly { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{…}'))

function trimLineBreaks(text: string): string {
  const [start, end] = [text.trimStart(), text.trimEnd()]
  const isBrokenBefore = text.slice(0, text.length - start.length).includes('\n')
  const isBrokenAfter = text.slice(end.length).includes('\n')
  const trimmed = isBrokenBefore ? start : text
  return isBrokenAfter ? trimmed.trimEnd() : trimmed
}

function joinChild(node: SyntaxNode, source: string): { text: string; isAside: boolean } {
  if (node.type === 'JSXText') {
    // JSX drops line breaks at the ends, and spaces there only together with them.
    const text = trimLineBreaks(source.slice(node.start, node.end))
    return { text, isAside: text.trim() === '' }
  }
  if (isElement(node)) return { text: toText(node, source) ?? '{…}', isAside: childrenOf(node).length === 0 }
  const value = node.expression as SyntaxNode
  if (value.type === 'Literal' && typeof value.value === 'string')
    return { text: value.value, isAside: value.value.trim() === '' }
  return value.type === 'JSXEmptyExpression'
    ? { text: '', isAside: true }
    : { text: '{…}', isAside: value.type === 'LogicalExpression' || value.type === 'ConditionalExpression' }
}

const tidy = (text: string): string =>
  text.replaceAll('&apos;', "'").replaceAll('&amp;', '&').replace(/\s+/g, ' ').trim()

/** The name of the attribute, property or variable that holds the text. */
function findName(parent: SyntaxNode | undefined, node: SyntaxNode): string {
  const holder = (
    parent?.type === 'JSXAttribute' ? parent.name : parent?.type === 'Property' ? parent.key : undefined
  ) as { readonly name?: string; readonly value?: string } | undefined
  return holder === (node as unknown) ? '' : (holder?.name ?? holder?.value ?? '')
}

/** Turns of phrase that a native reader stumbles over. */
const oddWords = /\b(?:who|what)ever\b|\bnobody\b|\bsomebody\b|\bis none\b|\banswers?\b|\bmeanwhile\b|\bwants? to be\b/i

export const isOdd = ({ text }: Pick<Text, 'text'>): boolean => oddWords.test(text)
