const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** None of them reads what stands in it by other rules than markup, or loads something. */
const elements = words(`
  a abbr address article aside b bdi bdo br button caption cite code col colgroup dd del dfn div dl dt em fieldset
  figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr i input ins kbd label legend li main mark nav ol
  optgroup option output p pre q s samp search section select small span strong sub sup table tbody td tfoot th thead
  time tr u ul var wbr circle ellipse g line path polygon polyline rect svg`)
/** They hold nothing, so they are not closed. */
const empty = words('br col hr input wbr')
/** In small letters; more than these are `aria-` and `data-`. */
const attributes = words(`
  autocapitalize autocomplete autofocus checked class colspan cx cy d datetime dir disabled enterkeyhint fill fill-rule
  focusable for height hidden href id inputmode label lang max maxlength method min minlength multiple name novalidate
  placeholder points preserveaspectratio r readonly rel required role rowspan rx ry scope selected size spellcheck step
  stroke stroke-linecap stroke-linejoin stroke-width tabindex target title transform translate type value viewbox width
  x x1 x2 xmlns y y1 y2`)

/** An address of this server, a place in the page, or a setting of the server's own. */
const href = /^(?:#[\w-]*|\/(?:[\w.?#=%+~-](?:[\w./?#=%+~-]|&amp;)*)?|\u{E000}[a-zA-Z.]{1,60}\u{E001})$/u
/** Scripts find data of the page, and what other scripts left for them, by names that an element could take. */
const id = /^(?:content|_R_[a-zA-Z0-9]{1,80}_(?:[a-z-]{1,40})?|(?!dmp-)[a-z]{1,40}(?:-[a-z0-9]{1,40}){1,9})$/
const values = new Map([
  ['href', href],
  ['id', id],
  ['method', /^post$/],
  ['target', /^_blank$/],
  ['type', /^(?:button|checkbox|date|email|number|password|radio|search|submit|tel|text|url)$/],
])

/** One piece: the marks that React leaves between texts, an element's beginning or end, or text. */
const piece =
  /<!--(?:\/?\$| )-->|<([a-z][a-z0-9]*)((?: [a-zA-Z][a-zA-Z0-9-]*(?:="[^"<>\0]*")?)*)(\/?)>|<\/([a-z][a-z0-9]*)>|[^<\0]+/y
const attribute = / ([a-zA-Z][a-zA-Z0-9-]*)(?:="([^"]*)")?/g
const [mostCharacters, deepest] = [100_000, 100]

/**
 * Whether this is a page as React writes one: text and form, and nothing that runs, loads, restyles, leads elsewhere,
 * or is understood in two ways. Whatever is not known is refused, because what browsers understand becomes more.
 */
export function isMarkup(markup: unknown): boolean {
  if (typeof markup !== 'string' || markup.length > mostCharacters) return false
  const open: string[] = []
  piece.lastIndex = 0
  while (piece.lastIndex < markup.length) {
    const found = piece.exec(markup)
    if (!found) return false
    const [, opened, said = '', closes, closed] = found
    if (closed !== undefined && open.pop() !== closed) return false
    if (opened === undefined) continue
    if (!elements.has(opened) || !maySay(opened, said)) return false
    if (empty.has(opened)) continue
    if (closes === '/' || open.push(opened) > deepest) return false
  }
  return open.length === 0
}

function maySay(element: string, said: string): boolean {
  const all = [...said.matchAll(attribute)].map(([, name = '', value = '']) => [name.toLowerCase(), value] as const)
  // What is typed must not stand in an address, also where nothing holds the form up.
  if (element === 'form' && !all.some(([name]) => name === 'method')) return false
  return all.every(
    ([name, value]) =>
      (/^(?:aria|data)-/.test(name) || attributes.has(name)) &&
      // Of forms it names a property of the document.
      !(name === 'name' && element === 'form') &&
      (values.get(name)?.test(value) ?? true),
  )
}
