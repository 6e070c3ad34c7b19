/** What a person with a screen reader hears of a page: a line for each thing, indented below what it belongs to. */

const roleByTag: Readonly<Record<string, string>> = {
  A: 'link',
  ARTICLE: 'article',
  ASIDE: 'complementary',
  BUTTON: 'button',
  DETAILS: 'group',
  DIALOG: 'dialog',
  FIELDSET: 'group',
  FOOTER: 'footer',
  FORM: 'form',
  IMG: 'img',
  LI: 'item',
  MAIN: 'main',
  METER: 'meter',
  NAV: 'navigation',
  OPTION: 'option',
  OUTPUT: 'status',
  PROGRESS: 'progressbar',
  SELECT: 'combobox',
  SUMMARY: 'summary',
  TABLE: 'table',
  TEXTAREA: 'textbox',
  VIDEO: 'video',
}
const roleByType: Readonly<Record<string, string>> = {
  button: 'button',
  checkbox: 'checkbox',
  file: 'file',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  search: 'searchbox',
  submit: 'button',
}
/** Their content is their name. */
const named =
  /^(?:button|link|option|menuitem|menuitemradio|menuitemcheckbox|tab|heading \d|checkbox|radio|switch|summary|img|tooltip)$/
const inline = new Set(
  'ABBR B BDI BR CITE CODE DATA DD DEL DT EM I INS KBD LABEL MARK P PRE Q S SAMP SMALL SPAN STRONG SUB SUP TIME U WBR'.split(
    ' ',
  ),
)
const inlineBlocks = /^(?:P|DT|DD)$/
const silent = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'HEAD'])

export const squeeze = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ').trim()

export function isSilent(element: Element): boolean {
  if (silent.has(element.tagName)) return true
  const names = element.getAttributeNames()
  if (names.includes('hidden')) return true
  if (names.includes('aria-hidden') && element.getAttribute('aria-hidden') === 'true') return true
  // As it is written: to read it from `style` makes an object for each element.
  const style = names.includes('style') ? element.getAttribute('style') : null
  return style !== null && /(?:^|[\s;])(?:display: ?none|visibility: ?hidden)/.test(style)
}

export function roleOf(element: Element): string {
  const role = element.getAttribute('role')
  if (role && role !== 'presentation' && role !== 'none') return role === 'heading' ? toHeading(element) : role
  const { tagName } = element
  if (/^H[1-6]$/.test(tagName)) return `heading ${tagName[1]}`
  if (tagName === 'INPUT') return roleByType[(element as HTMLInputElement).type] ?? 'textbox'
  if (tagName === 'A' && !element.hasAttribute('href')) return ''
  if ((tagName === 'SECTION' || tagName === 'FORM') && !nameAttribute(element)) return ''
  if (tagName === 'SECTION') return 'region'
  return roleByTag[tagName] ?? ''
}
const toHeading = (element: Element): string => `heading ${element.getAttribute('aria-level') ?? 2}`

const textOfIds = (element: Element, attribute: string): string =>
  (element.getAttribute(attribute) ?? '')
    .split(' ')
    .map((id) => (id ? contentOf(element.ownerDocument.getElementById(id)) : ''))
    .filter(Boolean)
    .join(' ')
const nameAttribute = (element: Element): string =>
  textOfIds(element, 'aria-labelledby') || squeeze(element.getAttribute('aria-label'))

/** The text of an element as it is read out, hidden parts left out. */
export function contentOf(node: Node | null): string {
  if (!node) return ''
  if (node instanceof Text) return squeeze(node.data)
  if (!(node instanceof Element)) return ''
  let content = ''
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child instanceof Text) content += child.data
    if (!(child instanceof Element) || isSilent(child)) continue
    const text = child.getAttribute('aria-label') ?? child.getAttribute('alt') ?? contentOf(child)
    content += inline.has(child.tagName) ? text : ` ${text} `
  }
  return squeeze(content)
}

/** Labels of other elements are not looked for: each time it is in the whole page. */
export const isField = (element: Element): element is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement =>
  /^(?:INPUT|SELECT|TEXTAREA)$/.test(element.tagName)

export function nameOf(element: Element): string {
  const given = nameAttribute(element)
  if (given) return given
  const labels = isField(element) ? [...(element.labels ?? [])].map(contentOf).join(' ') : ''
  if (labels) return labels
  const alt = squeeze(element.getAttribute('alt'))
  if (alt) return alt
  const isCaptioned = element.tagName === 'FIELDSET' || element.tagName === 'TABLE'
  const caption = isCaptioned ? element.querySelector(':scope > legend, :scope > caption') : null
  if (caption) return contentOf(caption)
  return (named.test(roleOf(element)) ? contentOf(element) : '') || squeeze(element.getAttribute('title'))
}

const states = ['expanded', 'checked', 'pressed', 'selected', 'current', 'sort', 'busy', 'haspopup', 'live', 'modal']

function stateOf(element: Element): string {
  const field = element as HTMLInputElement
  const names = new Set(element.getAttributeNames())
  const read = (name: string): string | null => (names.has(name) ? element.getAttribute(name) : null)
  const found = states.flatMap((state) => {
    const value = read(`aria-${state}`)
    return value === null || value === 'false' || (state === 'sort' && value === 'none') ? [] : [`${state}=${value}`]
  })
  if (read('aria-expanded') === 'false') found.push('closed')
  if (field.disabled || read('aria-disabled') === 'true') found.push('disabled')
  if (field.checked) found.push('checked')
  if (field.readOnly) found.push('read-only')
  if (field.required || read('aria-required') === 'true') found.push('required')
  if (read('aria-invalid') === 'true') found.push('invalid')
  const described = textOfIds(element, 'aria-describedby') || squeeze(element.getAttribute('aria-description'))
  if (described) found.push(`described by “${described}”`)
  for (const name of [
    'href',
    'placeholder',
    'title',
    'lang',
    'dir',
    'autocomplete',
    'type',
    'aria-valuetext',
    'aria-valuenow',
    'value',
  ])
    if (names.has(name)) found.push(...attributeOf(element, name))
  return found.length > 0 ? ` (${found.join(', ')})` : ''
}

function attributeOf(element: Element, name: string): string[] {
  const value = element.getAttribute(name)
  if (value === null || (name === 'type' && element.tagName !== 'INPUT') || value === nameOf(element)) return []
  if (name === 'type' && /^(?:text|button|submit|checkbox|radio|search|number|file)$/.test(value)) return []
  if (name === 'value' && !/^(?:PROGRESS|METER)$/.test(element.tagName)) return []
  return [`${name}=${value.replace(/^data:(.{40}).*$/s, 'data:$1…')}`]
}

function valueOf(element: Element): string {
  if (element instanceof HTMLSelectElement)
    return ` = “${squeeze(element.selectedOptions[0]?.textContent)}” of ${[...element.options].map(({ text }) => squeeze(text)).join(' | ')}`
  if (element instanceof HTMLInputElement && /^(?:checkbox|radio|file|submit|button)$/.test(element.type)) return ''
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return ` = “${element.value}”`
  return ''
}

/** One control or landmark, as it is announced. */
export function describe(element: Element): string {
  const name = nameOf(element)
  return `${roleOf(element) || element.tagName.toLowerCase()}${name ? ` “${name}”` : ''}${valueOf(element)}${stateOf(element)}`
}

class Listener {
  readonly lines: string[] = []
  #run = ''

  #say(line: string, depth: number): void {
    this.lines.push('  '.repeat(depth) + line)
  }

  #flush(depth: number): void {
    const text = squeeze(this.#run)
    this.#run = ''
    if (text) this.#say(`“${text}”`, depth)
  }

  hear(element: Element, depth: number): void {
    for (let child = element.firstChild; child; child = child.nextSibling) {
      if (child instanceof Text) this.#run += child.data
      else if (child instanceof Element && !isSilent(child)) {
        // Two things beside each other are two words.
        if (child.previousSibling instanceof Element) this.#run += ' '
        this.#hearElement(child, depth)
      }
    }
  }

  all(element: Element, depth: number): void {
    this.hear(element, depth)
    this.#flush(depth)
  }

  #hearElement(element: Element, depth: number): void {
    const role = roleOf(element)
    if (element.tagName === 'LABEL') {
      // What it says is the name of its control.
      for (const control of element.querySelectorAll('input, select, textarea')) this.#hearElement(control, depth)
    } else if (role === 'item') {
      this.#flush(depth)
      const below = new Listener()
      below.all(element, 0)
      below.lines.forEach((line, index) => this.#say(`${index === 0 ? '· ' : '  '}${line}`, depth))
    } else if (role === 'table' || role === 'grid') {
      this.#flush(depth)
      this.#hearTable(element, depth)
    } else if (element.tagName === 'TIME' || (role === '' && isPlain(element))) {
      this.#run += `${contentOf(element)}${stateOf(element)}`
      if (!inline.has(element.tagName) || inlineBlocks.test(element.tagName)) {
        if (element.tagName === 'DT') this.#run += ': '
        else this.#flush(depth)
      }
    } else if (role === '') {
      const isBlock = !inline.has(element.tagName)
      if (isBlock) this.#flush(depth)
      const live = stateOf(element)
      if (live) this.#say(`part${live}`, depth)
      this.hear(element, depth)
      if (isBlock) this.#flush(depth)
    } else {
      this.#flush(depth)
      this.#say(describe(element), depth)
      const isWhole = named.test(role) || /^(?:SELECT|TEXTAREA|INPUT)$/.test(element.tagName)
      if (!isWhole) this.all(element, depth + 1)
    }
  }

  #hearTable(table: Element, depth: number): void {
    this.#say(describe(table), depth)
    const headings = [...table.querySelectorAll('thead th')]
    for (const heading of headings) this.#say(`column “${contentOf(heading)}”${stateOf(heading)}`, depth + 1)
    for (const control of table.querySelectorAll('thead :is(input, select, a[href])'))
      if (!isSilent(control)) this.#say(describe(control), depth + 1)
    for (const row of table.querySelectorAll('tbody tr, tfoot tr')) {
      if (isSilent(row)) continue
      this.#say(`row${stateOf(row)}`, depth + 1)
      const cells = [...row.children]
      cells.forEach((cell, index) => {
        const heading = cells.length === headings.length ? contentOf(headings[index] ?? null) : ''
        this.#hearCell(cell, heading, depth + 2)
      })
    }
  }

  #hearCell(cell: Element, heading: string, depth: number): void {
    if (isSilent(cell)) return
    const below = new Listener()
    below.all(cell, 0)
    const [first = '', ...rest] = below.lines
    if (first) this.#say(`${heading ? `${heading}: ` : ''}${first}${stateOf(cell)}`, depth)
    for (const line of rest) this.#say(line, depth + 1)
  }
}

/** Whether there is nothing but words in it. */
function isPlain(element: Element): boolean {
  if (!inline.has(element.tagName) || !element.hasChildNodes()) return false
  for (let child = element.firstElementChild; child; child = child.nextElementSibling)
    if (!isSilent(child) && (roleOf(child) !== '' || (child.hasChildNodes() && !isPlain(child)))) return false
  return true
}

export function hear(root: Element): string[] {
  const listener = new Listener()
  listener.all(root, 0)
  return listener.lines
}
