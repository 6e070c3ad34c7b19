import type { SyntaxNode } from './syntaxTree.ts'

/** What holds a string: the words of an element, something with a name, or neither. */
export type Holder =
  | { readonly kind: 'child' | 'other' | 'code'; readonly name?: undefined }
  | { readonly kind: 'name'; readonly name: string }

/** Properties, attributes, variables and functions whose text is shown, also when it is a single word. */
const shownNames =
  /^(?:title|label|labels|short|help|placeholder|alt|text|subject|heading|message|hint|about|caption|aria-label|description|confirmLabel|\w+(?:Label|Title|Text|Message|Hint))$/
/** What these say is never anything but words, however short. */
const spokenAttributes = /^(?:alt|placeholder|short|aria-(?:label|description|roledescription|valuetext))$/
/** Tables of what is shown, by what the data says: every value in them is a text. */
const tables = /^(?:messages|words|texts|labels)$|(?:Words|Texts|Labels)$/
/** Of these, the ones that may as well hold a part of a sentence, of several words. */
const textNames = /(?:^label|Label|Text)$/
/** Those that never hold a text, though what they hold may have spaces. */
const hiddenNames =
  /^(?:className|class|style|d|points|viewBox|transform|accept|sizes|media|path|element|test|pattern|value|name|id|key|type|kind|status|state|field|sort|to|href|url|src|role|mode|event|action|module|rel|summary|target|lang|dir|htmlFor|autoComplete|inputMode|data-.+)$/

/** Not read: types, imports, other languages in a tagged template. */
export const isInCode = ({ type }: SyntaxNode): boolean =>
  type.startsWith('TSType') ||
  type.startsWith('TSInterface') ||
  type.startsWith('Import') ||
  type.startsWith('TSLiteral') ||
  type === 'TSEnumDeclaration' ||
  type === 'TaggedTemplateExpression'

/** Expressions and statements whose value is the value of what they are in. */
const transparent =
  /^(?:LogicalExpression|ParenthesizedExpression|TSAsExpression|TSSatisfiesExpression|TSNonNullExpression|ArrowFunctionExpression|FunctionExpression|ReturnStatement|BlockStatement|IfStatement|SwitchCase|SwitchStatement|ArrayExpression|JSXExpressionContainer)$/

/** What the value of a string becomes, read from the nodes around it. */
export function findHolder(node: SyntaxNode, parents: readonly SyntaxNode[]): Holder {
  let inner = node
  for (const parent of parents) {
    const { type } = parent
    if (type === 'JSXElement' || type === 'JSXFragment') return { kind: 'child' }
    if (type === 'JSXAttribute') {
      if (spokenAttributes.test(nameOf(parent.name))) return { kind: 'child' }
      return { kind: 'name', name: isBadge(parents, parent) ? 'label' : nameOf(parent.name) }
    }
    if (type === 'Property' || type === 'PropertyDefinition') {
      if (parent.key === inner) return { kind: 'code' }
      if (isInTable(parents, parent)) return { kind: 'child' }
      return { kind: 'name', name: isFact(parents, parent) ? 'fact' : nameOf(parent.key) }
    }
    if (type === 'VariableDeclarator') return { kind: 'name', name: nameOf(parent.id) }
    if (type === 'FunctionDeclaration') return { kind: 'name', name: nameOf(parent.id) }
    if (type === 'AssignmentPattern') return { kind: 'name', name: nameOf(parent.left) }
    if (isNotice(parent)) return { kind: 'name', name: 'text' }
    if (isCompared(parent, inner)) return { kind: 'code' }
    if (type !== 'ConditionalExpression' && !transparent.test(type)) return { kind: 'other' }
    inner = parent
  }
  return { kind: 'other' }
}

/** `{ label: 'Datastore', value: 'Not created yet' }`: the value of a choice is data, and has no words. */
function isFact(parents: readonly SyntaxNode[], property: SyntaxNode): boolean {
  const holder = parents[parents.indexOf(property) + 1]
  return (
    nameOf(property.key) === 'value' &&
    (holder?.properties as readonly SyntaxNode[] | undefined)?.some(({ key }) => nameOf(key) === 'label') === true
  )
}

/** `const stateWords = { done: 'done' }`: the property is one line of the table. */
function isInTable(parents: readonly SyntaxNode[], property: SyntaxNode): boolean {
  const holder = parents
    .slice(parents.indexOf(property) + 1)
    .find(({ type }) => type !== 'ObjectExpression' && !/^TS(?:As|Satisfies)Expression$/.test(type))
  return holder?.type === 'VariableDeclarator' && tables.test(nameOf(holder.id))
}

/** What a badge says is its value; other values are data. */
const isBadge = (parents: readonly SyntaxNode[], attribute: SyntaxNode): boolean =>
  nameOf(attribute.name) === 'value' && nameOf(parents[parents.indexOf(attribute) + 1]?.name) === 'StatusBadge'

/** What a notice says is shown, however short it is. */
function isNotice({ type, callee }: SyntaxNode): boolean {
  if (type !== 'CallExpression') return false
  const { object, name } = callee as { readonly object?: unknown; readonly name?: unknown }
  return name === 'offerUndo' || nameOf(object) === 'notify'
}

/** Whether people see the text; `{…}` stands for its values. */
export function isShownText(text: string, holder: Holder): boolean {
  if (!/\p{L}{2}/u.test(text) || noWords.test(text) || holder.kind === 'code') return false
  if (holder.kind === 'child') return true
  if (holder.name === undefined) return isWholeSentence(text, 4)
  if (hiddenNames.test(holder.name)) return false
  if (holder.name === 'fact') return isSentence(text)
  if (!shownNames.test(holder.name)) return isWholeSentence(text, 3)
  return (
    /^(?:["“(]?[\p{Lu}\d]|\{…\},? |…)/u.test(text) || (textNames.test(holder.name) && /^(?:\p{L}|\{…\}).* /u.test(text))
  )
}

/** The path of an icon, the pattern of a date. */
const noWords = /^(?:M\d|(?=.*(?:YY|DD|HH|hh|mm))[YMDHhmsa:,./ -]+$)/

/** Nothing says that it is shown: then it reads as nothing but a sentence. */
const isWholeSentence = (text: string, leastWords: number): boolean =>
  isSentence(text) &&
  (/[.!?…:]$/.test(text) || text.split(' ').filter((word) => /\p{L}/u.test(word)).length >= leastWords)

/** Begins as a sentence does, and has a second word that is neither code nor an address. */
export const isSentence = (text: string): boolean =>
  /^(?:["'“(]?\p{Lu}|\{…\} \p{L}|… )/u.test(text) &&
  /^\S+ (?:\S*\p{L}{2}|a \S*\p{L}{2}|\{…\})/u.test(text) &&
  !/^(?:select|insert|update|delete|create|alter|with) |^[A-Z_]+ [A-Z_]+$|[;{]$/.test(text)

const nameOf = (node: unknown): string => {
  const { name, value } = (node ?? {}) as { readonly name?: unknown; readonly value?: unknown }
  return typeof name === 'string' ? name : typeof value === 'string' ? value : ''
}

/** Compared with data, or the key to something. */
function isCompared(parent: SyntaxNode, inner: SyntaxNode): boolean {
  if (parent.type === 'BinaryExpression') return /^[!=]==?$|^[<>]=?$|^in$/.test(String(parent.operator))
  if (parent.type === 'MemberExpression') return parent.property === inner
  if (parent.type === 'ConditionalExpression' || parent.type === 'SwitchCase') return parent.test === inner
  return parent.type === 'ExpressionStatement' && 'directive' in parent
}

/** Sources whose texts people see; tests and what they stand on have none. */
export const isForPeople = (file: string): boolean =>
  /\.tsx?$/.test(file) && !/\.(?:test|d)\.tsx?$|InTests\.tsx?$|\/(?:testing|examples)\/|\/examples?\.ts$/.test(file)

/** Whether something runs as its module is loaded, by what is around it. */
export const isOfModule = (parents: readonly SyntaxNode[]): boolean =>
  parents.every(({ type }) => !/Function|MethodDefinition|PropertyDefinition/.test(type))

/** `v.minLength(1, 'Please enter a name.')`: valibot takes a function in place of a message. */
export const isSchemaCall = ({ type, callee, arguments: given }: SyntaxNode, node: SyntaxNode): boolean =>
  type === 'CallExpression' &&
  ((callee as SyntaxNode).object as SyntaxNode | undefined)?.name === 'v' &&
  (given as readonly SyntaxNode[]).includes(node)
