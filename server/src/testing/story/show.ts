import { createHash } from 'node:crypto'

const width = 116
/** Of a list that is longer, the rest is one line, which says how many more there are. */
const mostItems = 6

/** What nobody may read anywhere, whatever it is set to. */
export const isSecret = (name: string, value: unknown): boolean =>
  typeof value === 'string' &&
  value !== '' &&
  (/^secret$|^hint$|password|mfaCode|ConfirmationCode|setupToken/i.test(name) ||
    (name === 'code' && !/^[A-Z_]+$/.test(value)))

/** What depends on the machine: how long something took, how much room there is. */
export const isOfMachine = (name: string): boolean => /(?:^|_)ms$|xid|xmin|^milliseconds$|^freeMegabytes$/.test(name)

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Says of a text what no two runs differ in: what a line has room for is judged by that, not by what was there. */
export type Naming = (text: string) => string

/** How long something lasts is said to the second, which may end between two looks at the clock. */
const inMinutes = (key: string, value: unknown): unknown =>
  key === 'expiresIn' && typeof value === 'number' ? `${Math.floor(value / 60)} minutes` : value

function toLines(value: unknown, name: Naming, indent: string): string {
  if (typeof value === 'string') return showText(value, name, indent)
  if (Array.isArray(value)) {
    const shown = value.slice(0, mostItems).map((item) => toLines(item, name, `${indent}  `))
    if (value.length > mostItems) shown.push(`… ${value.length - mostItems} more`)
    return join('[', shown, ']', indent)
  }
  if (!isPlain(value)) return String(value)
  const shown = Object.entries(value).map(([key, inner]) => {
    if (isSecret(key, inner)) return `${key}: <unsaid>`
    return `${key}: ${isOfMachine(key) ? '<some>' : toLines(inMinutes(key, inner), name, `${indent}  `)}`
  })
  return join('{', shown, '}', indent)
}

function join(open: string, shown: readonly string[], close: string, indent: string): string {
  if (shown.length === 0) return open + close
  const line = `${open} ${shown.join(', ')} ${close}`
  if (line.length + indent.length <= width && !line.includes('\n')) return line
  return `${open}\n${fill(shown, `${indent}  `).join('\n')}\n${indent}${close}`
}

/** As many on a line as there is room for; what has lines of its own begins one. */
function fill(shown: readonly string[], indent: string): string[] {
  const lines: string[] = []
  let isOpen = false
  for (const each of shown) {
    const last = lines.at(-1) ?? ''
    const isShort = !each.includes('\n')
    if (isOpen && isShort && last.length + each.length + 2 <= width) lines[lines.length - 1] = `${last}, ${each}`
    else lines.push(indent + each)
    isOpen = isShort
  }
  return lines
}

/** Each on its own, as many on a line as there is room for. */
export const showAll = (shown: readonly string[]): string[] => fill(shown, '    ')

const longest = 600

function showText(text: string, name: Naming, indent: string): string {
  if (/^\\x[0-9a-f]*$/.test(text)) return '<bytes>'
  if (text.startsWith('data:')) return `<${text.slice(0, text.indexOf(',') + 1)} ${text.length} characters>`
  const embedded = /data:[\w/+.-]+;base64,[\w+/=]{40,}/g
  if (embedded.test(text)) return showText(text.replaceAll(embedded, '<a data URL>'), name, indent)
  if (text.length > longest && !/\s/.test(text)) return `<${text.length} characters>`
  if (!text.includes('\n')) return JSON.stringify(name(text))
  return name(text)
    .trimEnd()
    .split('\n')
    .map((line) => `\n${indent}  | ${line}`.trimEnd())
    .join('')
}

/** A value as people read it, whose later lines are set in by so much. */
export const showValue = (value: unknown, name: Naming, indent = '    '): string => toLines(value, name, indent)

export const showBytes = (bytes: Buffer): string =>
  `<${bytes.length} bytes, ${createHash('sha256').update(bytes).digest('base64').slice(0, 6)}>`
