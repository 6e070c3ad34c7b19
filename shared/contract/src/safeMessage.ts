/**
 * Words of the messages that browsers and React themselves make. Whatever else stands in a message may have come from a
 * patient, a person or what somebody typed; a list of what to take out would have forgotten something.
 */
const words = new Set(
  `a abort aborted access accessed after all allowed already an and any append appended argument arguments array as
  assign assignment at attribute await be because before being bigint boolean buffer but by call callback called can
  cannot child class closed component components const constructor convert converted could create cross current cyclic
  data date declaration declared defined delete deleted depth derived deserialize detached did document does element
  element's empty end error event exceeded execute executed expected extensible fail failed failing fetch file fires
  for found frame from frozen function generator get getter given global has have hook hooks identifier in index
  infinity initialization initialize initialized input insert instance integer invalid invoke invoked is it item
  iterable iterator its json key keyword known length lexical limit list load loading locked loop lost main map
  maximum memory message method minified missing more must name negative network new no node non not nothing null
  number object objects of on only operation operator or origin out outside overflow parameter parent parse parsing
  path pattern permission position primitive private process promise properties property prototype proxy quota range
  reach read reading readonly receiver redeclaration reduce reference regular reject rejected render rendered
  rendering request required rerender resource response result return returned reused script secure security set
  setter setting should size slice source stack state storage stream strict string structure super support supported
  symbol syntax target than that the then there this thrown time timed to token too transaction tree tried type
  undefined unexpected unhandled unknown unsupported unterminated update updates url use used using valid value values
  variable was when where which while window with within without worker write you`.split(/\s+/),
)

/** Of one message, in characters. */
export const longestMessage = 200

/** In the middle of a sentence a capital makes a name of a word. */
const isTheirs = (word: string, at: number): boolean =>
  words.has(at === 0 ? word.toLowerCase() : word) || word === 'JSON' || word === 'URL'

/**
 * The message of an error without anything that could name somebody: only words that browsers use in their own
 * messages stay; whatever else stands there, numbers, addresses and what is in quotes too, becomes `…`. Applied twice
 * it is the same.
 */
export function toSafeMessage(message: string): string {
  const [react] = /^Minified React error #\d{1,3}\b/.exec(message) ?? []
  if (react !== undefined) return react
  const safe: string[] = []
  let length = 0
  for (const [at, word] of message
    .slice(0, 2 * longestMessage)
    .trim()
    .split(/\s+/)
    .entries()) {
    const core = word.replace(/^\(/, '').replace(/[.,;:)]{1,3}$/, '')
    const next = isTheirs(core, at) ? word : `${word.startsWith('(') ? '(' : ''}…${word.endsWith(')') ? ')' : ''}`
    length += next.length + 1
    if (length > longestMessage) break
    if (next !== '…' || safe.at(-1) !== '…') safe.push(next)
  }
  return safe.join(' ')
}

/** What an error calls itself, where that is a name of a kind of error: `TypeError`. */
export const toErrorName = (name: string): string => (/^[A-Z][A-Za-z]{1,40}Error$/.test(name) ? name : 'Error')
