import { decode, trimLineBreaks } from './jsxText.ts'
import { nameOfElement, nameOfValue } from './nameOfValue.ts'
import { findHolder, isInCode, isOfModule, isSchemaCall, isShownText } from './shownTexts.ts'
import { walkSyntax, type SyntaxNode } from './syntaxTree.ts'

/** A text of the screens that is translated as a whole. */
export interface Message {
  /** As translators see it: English, `{name}` for a value, `<b>…</b>` around the words of an inner element. */
  readonly text: string
  readonly line: number
  readonly start: number
  readonly end: number
  /** The source that says it in the page's language, with what stands between its words. */
  readonly replacement: string
  /** It is said as its module is loaded, and keeps the language of then. */
  readonly isSaidOnLoad: boolean
}

/** Names of the functions that replacements call. */
export const textFunction = '__text'
export const elementsFunction = '__elements'

/**
 * Every text of a source that people see on a screen, in the order of the source: words between tags, attributes and
 * properties with a shown name, and strings that are sentences (`shownTexts.ts` decides). A text inside a value of
 * another one comes after it; its replacement is part of the outer one's.
 *
 * @param elementsOnly leaves out what is neither in nor at an element: of a test, what it expects
 */
export function findMessages(file: string, source: string, { elementsOnly = false } = {}): Message[] {
  if (!/\p{L}{2}/u.test(source)) return []
  const reader = new Reader(source, elementsOnly)
  const walk = walkSyntax(file, source)
  for (let step = walk.next(); !step.done;) {
    const { node, parents } = step.value
    const isCode = isInCode(node)
    if (!isCode) reader.read(node, parents)
    step = walk.next(!isCode)
  }
  return reader.list()
}

/** The source with every message in place of its text; undefined if it has none. */
export function replaceMessages(messages: readonly Message[], source: string): string | undefined {
  if (messages.length === 0) return undefined
  return replaceOutermost(messages, source, 0, source.length)
}

interface Found {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly isSaidOnLoad?: boolean
  readonly write: (render: (node: Range) => string) => string
}

type Range = Pick<SyntaxNode, 'start' | 'end'>

/** A value or an element between the words, by the name that stands for it. */
interface Value {
  readonly node: SyntaxNode
  readonly write: (render: (node: Range) => string) => string
}

class Reader {
  readonly #source: string
  readonly #elementsOnly: boolean
  readonly #found: Found[] = []
  /** Inner elements whose words are part of an outer text. */
  readonly #isPart = new Set<SyntaxNode>()

  constructor(source: string, elementsOnly: boolean) {
    this.#source = source
    this.#elementsOnly = elementsOnly
  }

  read(node: SyntaxNode, parents: readonly SyntaxNode[]): void {
    if (this.#elementsOnly && !isElement(node) && parents[0]?.type !== 'JSXAttribute') return
    const found = isElement(node) ? this.#readElement(node, parents) : this.#readString(node, parents)
    if (found !== undefined && /\p{L}{2}/u.test(found.text.replace(/\{\w+\}|<\/?\w+>/g, ''))) this.#found.push(found)
  }

  list(): Message[] {
    const sorted = this.#found.sort((a, b) => a.start - b.start || b.end - a.end)
    const render = ({ start, end }: Range): string =>
      replaceOutermost(
        sorted
          .filter((one) => one.start >= start && one.end <= end)
          .map((one) => ({
            ...one,
            get replacement() {
              return one.write(render)
            },
          })),
        this.#source,
        start,
        end,
      )
    return sorted.map(({ text, start, end, isSaidOnLoad = false, write }) => ({
      text,
      isSaidOnLoad,
      line: this.#source.slice(0, start).split('\n').length,
      start,
      end,
      replacement: write(render),
    }))
  }

  #readString(node: SyntaxNode, parents: readonly SyntaxNode[]): Found | undefined {
    const names = new Names(this.#source)
    const whole = toText(node, names)
    if (whole === undefined || hasMarks(node)) return undefined
    const text = whole.trim()
    const [before, after] = [whole.slice(0, whole.indexOf(text)), whole.slice(whole.indexOf(text) + text.length)]
    const holder = findHolder(node, parents)
    if (!isShownText(text.replace(/\{\w+\}/g, '{…}'), holder)) return undefined
    const writeCall: Found['write'] = (render) =>
      [quote(before), names.writeCall(textFunction, text, render), quote(after)].filter(Boolean).join(' + ')
    const [parent] = parents
    // What a module says as it is loaded would stay as it was then, when its catalogue comes later.
    const isSaidOnLoad = isOfModule(parents)
    if (parent && isSaidOnLoad) {
      if (parent.type === 'Property' && parent.computed !== true)
        return {
          text,
          start: parent.start,
          end: parent.end,
          write: (render) => `get ${this.#textOf(parent.key as SyntaxNode)}() { return ${writeCall(render)} }`,
        }
      if (isSchemaCall(parent, node))
        return { text, start: node.start, end: node.end, write: (render) => `() => ${writeCall(render)}` }
    }
    return {
      text,
      start: node.start,
      end: node.end,
      isSaidOnLoad,
      write: (render) => {
        const call = writeCall(render)
        if (parent?.type === 'JSXAttribute') return `{${call}}`
        return before + after === '' ? call : `(${call})`
      },
    }
  }

  #readElement(node: SyntaxNode, parents: readonly SyntaxNode[]): Found | undefined {
    if (this.#isPart.has(node) || isCodeElement(node) || !childrenOf(node).some(this.#isWords)) return undefined
    const names = new Names(this.#source)
    const children = [...childrenOf(node)]
    // Icons and fields before and after the words are no part of the text.
    while (children[0] && this.#isAside(children[0])) children.shift()
    while (children.at(-1) && this.#isAside(children.at(-1) as SyntaxNode)) children.pop()
    const [first, last] = [children[0], children.at(-1)]
    if (first === undefined || last === undefined) return undefined
    const joined = children.map((child) => this.#readChild(child, names)).join('')
    if (children.some((child) => child.type === 'JSXText' && /[{}<>]|&\w+;/.test(decode(this.#textOf(child)))))
      return undefined
    const [before, after] = [/^\s/.test(joined) ? "{' '}" : '', /\s$/.test(joined) ? "{' '}" : '']
    const text = joined.replace(/\s+/g, ' ').trim()
    return {
      text,
      start: first.start,
      end: last.end,
      isSaidOnLoad: isOfModule(parents),
      write: (render) =>
        `${before}{${names.writeCall(names.size === 0 ? textFunction : elementsFunction, text, render)}}${after}`,
    }
  }

  #readChild(child: SyntaxNode, names: Names): string {
    if (child.type === 'JSXText') return decode(trimLineBreaks(this.#textOf(child)))
    if (isElement(child)) {
      const words = this.#isTag(child)
      if (!words) return `{${names.add(child, nameOfElement(child), (render) => render(child))}}`
      this.#isPart.add(child)
      const { openingElement: opening, closingElement: closing } = child as unknown as Tag
      const tag = names.add(child, nameOfElement(child), (render) => {
        const end = this.#source.slice(closing.start, closing.end)
        return `(__words) => (${render(opening)}{__words}${end})`
      })
      return `<${tag}>${childrenOf(child)
        .map((inner) => this.#readChild(inner, names))
        .join('')}</${tag}>`
    }
    const value = child.expression as SyntaxNode
    if (value.type === 'JSXEmptyExpression') return ''
    if (value.type === 'Literal' && typeof value.value === 'string') return value.value
    return `{${names.addValue(value)}}`
  }

  /** An inner element whose words belong to the text around it. */
  #isTag(node: SyntaxNode): boolean {
    return node.type === 'JSXElement' && !isCodeElement(node) && childrenOf(node).some(this.#isWords)
  }

  readonly #textOf = ({ start, end }: Range): string => this.#source.slice(start, end)

  readonly #isWords = (node: SyntaxNode): boolean => node.type === 'JSXText' && /\S/.test(this.#textOf(node))

  #isAside(node: SyntaxNode): boolean {
    if (node.type === 'JSXText') return trimLineBreaks(this.#textOf(node)).trim() === ''
    if (isElement(node)) return childrenOf(node).length === 0
    const value = node.expression as SyntaxNode
    if (value.type === 'Literal') return String(value.value).trim() === ''
    return value.type === 'JSXEmptyExpression' || value.type === 'LogicalExpression'
  }
}

interface Tag {
  readonly openingElement: SyntaxNode
  readonly closingElement: SyntaxNode
}

/** The values of one text, each by a name that says what it is. */
class Names {
  readonly #source: string
  readonly #values = new Map<string, Value>()

  constructor(source: string) {
    this.#source = source
  }

  get size(): number {
    return this.#values.size
  }

  addValue(node: SyntaxNode): string {
    return this.add(node, nameOfValue(node), (render) => `(${render(node)})`)
  }

  add(node: SyntaxNode, wanted: string, write: Value['write']): string {
    const textOf = (of: SyntaxNode): string => this.#source.slice(of.start, of.end)
    for (let count = 1; ; count++) {
      const name = count === 1 ? wanted : `${wanted}${count}`
      const known = this.#values.get(name)
      if (known === undefined) this.#values.set(name, { node, write })
      if (known === undefined || textOf(known.node) === textOf(node)) return name
    }
  }

  writeCall(call: string, text: string, render: (node: Range) => string): string {
    const values = [...this.#values].map(([name, { write }]) => `${name}: ${write(render)}`)
    return `${call}(${JSON.stringify(text)}${values.length > 0 ? `, { ${values.join(', ')} }` : ''})`
  }
}

const quote = (space: string): string => (space === '' ? '' : JSON.stringify(space))

/** The text of a string or a template. */
function toText(node: SyntaxNode, names: Names): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type !== 'TemplateLiteral') return undefined
  const values = node.expressions as readonly SyntaxNode[]
  return cookedOf(node)
    .map((words, index) => `${words}${values[index] ? `{${names.addValue(values[index])}}` : ''}`)
    .join('')
}

/** Braces and tags of the text itself would be read as those of a message. */
const hasMarks = (node: SyntaxNode): boolean =>
  (node.type === 'Literal' ? [String(node.value)] : cookedOf(node)).some((words) => /[{}]|<\/?\w/.test(words))

const cookedOf = (node: SyntaxNode): string[] =>
  (node.quasis as readonly { value: { cooked: string } }[]).map(({ value }) => value.cooked)

const isElement = ({ type }: SyntaxNode): boolean => type === 'JSXElement' || type === 'JSXFragment'

const childrenOf = (node: SyntaxNode): readonly SyntaxNode[] => node.children as readonly SyntaxNode[]

/** What stands there is typed or pressed as it is. */
const isCodeElement = (node: SyntaxNode): boolean => /^(?:code|kbd|pre|samp|style|script)$/.test(nameOfElement(node))

function replaceOutermost(
  messages: readonly Pick<Message, 'start' | 'end' | 'replacement'>[],
  source: string,
  start: number,
  end: number,
): string {
  let text = ''
  let at = start
  for (const message of messages) {
    if (message.start < at) continue
    text += source.slice(at, message.start) + keepLines(source.slice(message.start, message.end), message.replacement)
    at = message.end
  }
  return text + source.slice(at, end)
}

/** What follows stays on its line, for source maps and errors. */
function keepLines(before: string, after: string): string {
  const missing = before.split('\n').length - after.split('\n').length
  return missing > 0 ? `${after.slice(0, -1)}${'\n'.repeat(missing)}${after.slice(-1)}` : after
}
